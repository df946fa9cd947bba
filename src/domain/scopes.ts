/** Scopes of access tokens (users-and-auth 1.3). Some have no operation in Outpost. */
export const scopes = [
  "api",
  "read_api",
  "read_user",
  "sudo",
  "admin_mode",
  "self_rotate",
  "k8s_proxy",
  "create_runner",
  "manage_runner",
  "ai_features",
  "read_repository",
  "write_repository",
  "read_registry",
  "write_registry",
  "read_virtual_registry",
  "write_virtual_registry",
  "read_service_ping",
  "read_observability",
  "write_observability",
] as const;
export type Scope = (typeof scopes)[number];
