import type { OpenConnection } from "../../lib/platform/index.ts";

/** The limits on open connections. */
export interface ConnectionLimits {
  /** The most connections of one network. */
  readonly perNetwork: number;
  /** The number of descriptors that must stay free for files. */
  readonly reserve: number;
}

/** A connection and its network. */
export interface KnownConnection extends OpenConnection {
  /** The network whose connections count together; undefined for a trusted proxy, which has no limit. */
  readonly network: string | undefined;
  /** True when the client waits for an answer, such as in a long poll. */
  readonly isHeld: boolean;
}

const reserveMax = 1_024;
/** The idle time after which connections may be closed when descriptors are scarce. */
const scarceIdleMs = 5_000;

/** Returns the limits. `perNetwork` 0 means a quarter of the open-file limit. */
export function connectionLimits(descriptorsMax: number, perNetwork: number): ConnectionLimits {
  const quarter = Math.floor(descriptorsMax / 4);
  return { perNetwork: perNetwork === 0 ? quarter : perNetwork, reserve: Math.min(quarter, reserveMax) };
}

/** True when connections may have to be closed. `open` counts all open descriptors. */
export function isScarce({ perNetwork, reserve }: ConnectionLimits, open: number, descriptorsMax: number): boolean {
  return open > perNetwork || descriptorsMax - open < 2 * reserve;
}

/**
 * Chooses the connections to close when `free` descriptors are left: first those beyond the limit of their network, then
 * those that were idle for some seconds, then more of the largest networks until enough are free. Of a network, the longest
 * idle ones go first.
 */
export function connectionsToEnd(
  connections: readonly KnownConnection[],
  { perNetwork, reserve }: ConnectionLimits,
  free: number,
): KnownConnection[] {
  const networks = [...Map.groupBy(connections, ({ network }) => network)].map(([network, members]) => {
    const longestIdleFirst = members.toSorted((a, b) => Number(a.isHeld) - Number(b.isHeld) || b.idleMs - a.idleMs);
    return { network, left: longestIdleFirst, isLimited: network !== undefined };
  });
  const ended: KnownConnection[] = [];
  for (const { left, isLimited } of networks) {
    if (isLimited) ended.push(...left.splice(0, Math.max(0, left.length - perNetwork)));
  }
  if (free + ended.length < 2 * reserve) {
    for (const { left } of networks) {
      const active = left.findIndex(({ isHeld, idleMs }) => isHeld || idleMs < scarceIdleMs);
      ended.push(...left.splice(0, active === -1 ? left.length : active));
    }
  }
  const missing = reserve - free - ended.length;
  for (let count = 0; count < missing; count += 1) {
    const largest = networks.reduce((most, each) => (each.left.length > most.left.length ? each : most), {
      left: [] as KnownConnection[],
    });
    const connection = largest.left.shift();
    if (connection !== undefined) ended.push(connection);
  }
  return ended;
}
