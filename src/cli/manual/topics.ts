/** A topic of the manual, which the executable contains. */
export interface Topic {
  /** As in `outpost help NAME`. No command has the same name. */
  readonly name: string;
  readonly summary: string;
  /** Loads the Markdown: no command that does not print it pays for it. */
  readonly load: () => Promise<{ readonly default: string }>;
}

/** All topics, in the order of `outpost help`. */
export const topics: readonly Topic[] = [
  {
    name: "clients",
    summary: "make the first calls with curl and other clients",
    load: () => import("./clients.md", { with: { type: "text" } }),
  },
  {
    name: "commands",
    summary: "all commands, and what they have in common",
    load: () => import("./commands.md", { with: { type: "text" } }),
  },
  {
    name: "settings",
    summary: "all flags and variables",
    load: () => import("./settings.md", { with: { type: "text" } }),
  },
  {
    name: "exit-codes",
    summary: "exit codes, and how a server stops",
    load: () => import("./exit-codes.md", { with: { type: "text" } }),
  },
  {
    name: "data",
    summary: "what Outpost promises about your data",
    load: () => import("./data.md", { with: { type: "text" } }),
  },
  {
    name: "seed-and-demo",
    summary: "sample data to try things with",
    load: () => import("./seed-and-demo.md", { with: { type: "text" } }),
  },
  {
    name: "sandbox",
    summary: "put a test server back, and set its clock",
    load: () => import("./sandbox.md", { with: { type: "text" } }),
  },
  {
    name: "users-and-tokens",
    summary: "manage users and tokens without a server",
    load: () => import("./users-and-tokens.md", { with: { type: "text" } }),
  },
  {
    name: "systems",
    summary: "the files of a release, and what differs between systems",
    load: () => import("./systems.md", { with: { type: "text" } }),
  },
  {
    name: "service",
    summary: "run as a systemd service",
    load: () => import("./service.md", { with: { type: "text" } }),
  },
  {
    name: "container",
    summary: "run in a container",
    load: () => import("./container.md", { with: { type: "text" } }),
  },
  {
    name: "https",
    summary: "certificates and socket files",
    load: () => import("./https.md", { with: { type: "text" } }),
  },
  {
    name: "proxy",
    summary: "run behind nginx, Caddy or another proxy",
    load: () => import("./proxy.md", { with: { type: "text" } }),
  },
  {
    name: "monitoring",
    summary: "health checks, metrics, log and watchdog",
    load: () => import("./monitoring.md", { with: { type: "text" } }),
  },
  {
    name: "backups",
    summary: "back up and restore a store",
    load: () => import("./backups.md", { with: { type: "text" } }),
  },
  {
    name: "exports",
    summary: "export and import documents as JSON lines",
    load: () => import("./exports.md", { with: { type: "text" } }),
  },
  {
    name: "upgrades",
    summary: "move to a newer version",
    load: () => import("./upgrades.md", { with: { type: "text" } }),
  },
  {
    name: "editions",
    summary: "community, premium and ultimate",
    load: () => import("./editions.md", { with: { type: "text" } }),
  },
  {
    name: "quotas-and-limits",
    summary: "limits of storage, requests, work and load",
    load: () => import("./quotas-and-limits.md", { with: { type: "text" } }),
  },
];
