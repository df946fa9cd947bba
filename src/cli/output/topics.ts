/** A topic of the manual, which the executable contains. */
export interface Topic {
  /** The name in `outpost help NAME`. No command has the same name. */
  readonly name: string;
  readonly summary: string;
  /** Loads the Markdown only when it is printed. */
  readonly load: () => Promise<{ readonly default: string }>;
}

/** All topics, in the order of `outpost help`. */
export const topics: readonly Topic[] = [
  {
    name: "clients",
    summary: "make the first calls with curl and other clients",
    load: () => import("../manual/clients.md", { with: { type: "text" } }),
  },
  {
    name: "git",
    summary: "clone, fetch and push; move repositories in and out",
    load: () => import("../manual/git.md", { with: { type: "text" } }),
  },
  {
    name: "coverage",
    summary: "the calls of client libraries that the API serves",
    load: () => import("../manual/coverage.md", { with: { type: "text" } }),
  },
  {
    name: "commands",
    summary: "all commands, and what they have in common",
    load: () => import("../manual/reference/commands.md", { with: { type: "text" } }),
  },
  {
    name: "settings",
    summary: "all flags and variables",
    load: () => import("../manual/reference/settings.md", { with: { type: "text" } }),
  },
  {
    name: "exit-codes",
    summary: "exit codes, and how a server stops",
    load: () => import("../manual/reference/exit-codes.md", { with: { type: "text" } }),
  },
  {
    name: "data",
    summary: "what Outpost promises about your data",
    load: () => import("../manual/data.md", { with: { type: "text" } }),
  },
  {
    name: "seed-and-demo",
    summary: "sample data to try things with",
    load: () => import("../manual/seed-and-demo.md", { with: { type: "text" } }),
  },
  {
    name: "sandbox",
    summary: "reset a test server, and set its clock",
    load: () => import("../manual/sandbox/sandbox.md", { with: { type: "text" } }),
  },
  {
    name: "fixtures",
    summary: "describe the content of a sandbox in a file",
    load: () => import("../manual/sandbox/fixtures.md", { with: { type: "text" } }),
  },
  {
    name: "faults",
    summary: "simulate failures in a sandbox",
    load: () => import("../manual/sandbox/faults.md", { with: { type: "text" } }),
  },
  {
    name: "recordings",
    summary: "inspect, record and replay the requests to a sandbox",
    load: () => import("../manual/sandbox/recordings.md", { with: { type: "text" } }),
  },
  {
    name: "testing",
    summary: "start a server for a test suite: whole examples",
    load: () => import("../manual/sandbox/testing.md", { with: { type: "text" } }),
  },
  {
    name: "conformance",
    summary: "check a server against the contract of the API",
    load: () => import("../manual/conformance.md", { with: { type: "text" } }),
  },
  {
    name: "users-and-tokens",
    summary: "manage users and tokens, also without a server",
    load: () => import("../manual/users-and-tokens.md", { with: { type: "text" } }),
  },
  {
    name: "permissions",
    summary: "roles, visibility, scopes, and why a call is refused",
    load: () => import("../manual/permissions.md", { with: { type: "text" } }),
  },
  {
    name: "mail",
    summary: "send mails, and find out why one did not arrive",
    load: () => import("../manual/mail.md", { with: { type: "text" } }),
  },
  {
    name: "runners",
    summary: "connect runners that execute the jobs of pipelines",
    load: () => import("../manual/runners.md", { with: { type: "text" } }),
  },
  {
    name: "alerts",
    summary: "receive alerts from Alertmanager and other tools",
    load: () => import("../manual/alerts.md", { with: { type: "text" } }),
  },
  {
    name: "systems",
    summary: "the files of a release, and what differs between systems",
    load: () => import("../manual/systems.md", { with: { type: "text" } }),
  },
  {
    name: "service",
    summary: "run as a systemd service",
    load: () => import("../manual/service.md", { with: { type: "text" } }),
  },
  {
    name: "container",
    summary: "run in a container",
    load: () => import("../manual/container.md", { with: { type: "text" } }),
  },
  {
    name: "https",
    summary: "certificates and socket files",
    load: () => import("../manual/https.md", { with: { type: "text" } }),
  },
  {
    name: "proxy",
    summary: "run behind nginx, Caddy or another proxy",
    load: () => import("../manual/proxy.md", { with: { type: "text" } }),
  },
  {
    name: "monitoring",
    summary: "health checks, metrics, log and watchdog",
    load: () => import("../manual/monitoring.md", { with: { type: "text" } }),
  },
  {
    name: "backups",
    summary: "back up and restore a store",
    load: () => import("../manual/backups.md", { with: { type: "text" } }),
  },
  {
    name: "exports",
    summary: "export and import documents as JSON lines",
    load: () => import("../manual/exports.md", { with: { type: "text" } }),
  },
  {
    name: "upgrades",
    summary: "move to a newer version",
    load: () => import("../manual/upgrades.md", { with: { type: "text" } }),
  },
  {
    name: "editions",
    summary: "community, premium and ultimate",
    load: () => import("../manual/editions.md", { with: { type: "text" } }),
  },
  {
    name: "quotas-and-limits",
    summary: "limits of storage, requests, work and load",
    load: () => import("../manual/quotas-and-limits.md", { with: { type: "text" } }),
  },
];
