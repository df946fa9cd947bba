import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const listening = "0A";

/**
 * Returns the process that listens on a TCP port of this machine, such as `nginx (process 4711)`; undefined if `/proc` does
 * not show it, as for processes of other users.
 */
export function findPortOwner(port: number): string | undefined {
  const sockets = new Set([...socketsAt("/proc/net/tcp", port), ...socketsAt("/proc/net/tcp6", port)]);
  if (sockets.size === 0) return undefined;
  const pid = entriesOf("/proc").find((name) => /^\d+$/.test(name) && hasOneOf(name, sockets));
  return pid === undefined ? undefined : `${readText(`/proc/${pid}/comm`).trim()} (process ${pid})`;
}

/** Returns the inodes of the sockets that listen on the port. */
function socketsAt(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return readText(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hexPort}`) === true && state === listening)
    .map((columns) => columns[9] ?? "");
}

function hasOneOf(pid: string, sockets: ReadonlySet<string>): boolean {
  return entriesOf(`/proc/${pid}/fd`).some((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${fd}`))?.[1];
    return inode !== undefined && sockets.has(inode);
  });
}

/** Returns the result of `read`, or the fallback if the file is absent or unreadable. */
function orElse<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

function entriesOf(folder: string): string[] {
  return orElse(() => readdirSync(folder), []);
}

function readText(file: string): string {
  return orElse(() => readFileSync(file, "utf8"), "");
}

function targetOf(link: string): string {
  return orElse(() => readlinkSync(link), "");
}
