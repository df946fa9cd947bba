/** The claims of the ID tokens of jobs. */

export const claimNames = [
  ...(["iss", "sub", "aud", "jti", "iat", "nbf", "exp", "namespace_id", "namespace_path", "project_id"] as const),
  ...(["project_path", "project_visibility", "user_id", "user_login", "user_email", "user_access_level"] as const),
  "user_identities",
  ...(["job_project_id", "job_project_path", "job_namespace_id", "job_namespace_path"] as const),
  ...(["pipeline_id", "pipeline_source", "job_id", "ref", "ref_type", "ref_path", "ref_protected", "sha"] as const),
  ...(["runner_id", "runner_environment", "environment", "environment_protected"] as const),
  ...(["deployment_tier", "environment_action", "ci_config_ref_uri", "ci_config_sha"] as const),
];

/** `undefined` for a claim that a job does not have. */
export type IdTokenClaims = Readonly<Partial<Record<(typeof claimNames)[number], unknown>>>;
