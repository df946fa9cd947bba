import type { OpenConnection } from "../../lib/platform/index.ts";

/** Limits on the connections that the process holds open. */
export interface ConnectionLimits {
  /** Connections of one network. */
  readonly perNetwork: number;
  /** Descriptors that connections leave free for files. */
  readonly reserve: number;
}

/** A connection with what the server knows of it. */
export interface KnownConnection extends OpenConnection {
  /** Connections of one network count together; undefined: of a trusted proxy, which has no limit of its own. */
  readonly network: string | undefined;
  /** The server makes the client wait for an answer, as in a long poll. */
  readonly isHeld: boolean;
}

const reserveMax = 1_024;
/** Beside these, an idle connection may be idle as long as the runtime allows. */
const scarceIdleMs = 5_000;

/** `perNetwork` 0 stands for a quarter of what the process may open. */
export function connectionLimits(descriptorsMax: number, perNetwork: number): ConnectionLimits {
  const quarter = Math.floor(descriptorsMax / 4);
  return { perNetwork: perNetwork === 0 ? quarter : perNetwork, reserve: Math.min(quarter, reserveMax) };
}

/** Whether connections may have to end. `open`: the open descriptors, of files too. */
export function isScarce({ perNetwork, reserve }: ConnectionLimits, open: number, descriptorsMax: number): boolean {
  return open > perNetwork || descriptorsMax - open < 2 * reserve;
}

/**
 * Chooses the connections that end, where `free` descriptors are left: those beyond the share of their network, then those
 * that were idle for some seconds, then more of the largest networks until the reserve is free. The longest idle ones of a
 * network are the first.
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
