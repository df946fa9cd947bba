import { describe, expect, test } from "bun:test";
import {
  connectionLimits,
  connectionsToEnd,
  isScarce,
  type KnownConnection,
} from "../../../src/server/listeners/connection-limits.ts";

/** Connections of a network, idle for so many milliseconds each. */
function connectionsOf(network: string | undefined, idle: readonly number[], isHeld = false): KnownConnection[] {
  return idle.map((idleMs) => ({ fd: idleMs, address: "192.0.2.1", port: 1, idleMs, network, isHeld }));
}

const idleOf = (connections: readonly KnownConnection[]) => connections.map(({ idleMs }) => idleMs).sort();
const limits = { perNetwork: 3, reserve: 10 };

describe("limits of connections", () => {
  test("a network gets a quarter of the descriptors by default, and files get as many, up to 1024", () => {
    expect(connectionLimits(256, 0)).toEqual({ perNetwork: 64, reserve: 64 });
    expect(connectionLimits(20_000, 0)).toEqual({ perNetwork: 5_000, reserve: 1_024 });
    expect(connectionLimits(20_000, 7).perNetwork).toBe(7);
  });

  test("connections are looked at when a network may have too many, and when few descriptors are left", () => {
    expect(isScarce(limits, 3, 100)).toBe(false);
    expect(isScarce(limits, 4, 100)).toBe(true);
    expect(isScarce({ perNetwork: 90, reserve: 10 }, 81, 100)).toBe(true);
  });

  test("a network beyond its share loses the connections that were idle longest", () => {
    const connections = [...connectionsOf("a", [5, 900, 30, 700, 60]), ...connectionsOf("b", [800, 1, 2])];
    expect(idleOf(connectionsToEnd(connections, limits, 100))).toEqual([700, 900]);
  });

  test("a client that the server makes wait is not idle", () => {
    const connections = [...connectionsOf("a", [900_000], true), ...connectionsOf("a", [1, 2, 3])];
    expect(idleOf(connectionsToEnd(connections, limits, 100))).toEqual([3]);
  });

  test("a trusted proxy has no share", () => {
    expect(connectionsToEnd(connectionsOf(undefined, [1, 2, 3, 4, 5]), limits, 100)).toEqual([]);
  });

  test("while few descriptors are left, connections end after five idle seconds", () => {
    const connections = [...connectionsOf("a", [4_999, 5_001]), ...connectionsOf("b", [6_000, 7_000]), ...held];
    expect(idleOf(connectionsToEnd(connections, limits, 15))).toEqual([5_001, 6_000, 7_000]);
    expect(connectionsToEnd(connections, limits, 20)).toEqual([]);
  });

  test("the reserve is taken from the networks with the most connections", () => {
    const connections = [...connectionsOf("a", [10, 20, 30]), ...connectionsOf("b", [40]), ...connectionsOf("c", [50])];
    expect(idleOf(connectionsToEnd(connections, limits, 8))).toEqual([20, 30]);
    expect(connectionsToEnd(connections, limits, 0)).toHaveLength(5);
  });
});

const held = connectionsOf("c", [60_000], true);
