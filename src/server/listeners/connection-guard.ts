import type { Config } from "../../config/config.ts";
import { heldConnections } from "../../http/limits/held-connections.ts";
import { fillFdReserve } from "../../lib/fd-limit.ts";
import { isInRange, networkOf, parseIpAddress } from "../../lib/ip-address.ts";
import type { Log } from "../../lib/log.ts";
import { type Descriptors, type OpenConnection, platform } from "../../lib/platform/index.ts";
import { type ConnectionLimits, connectionLimits, connectionsToEnd, isScarce } from "./connection-limits.ts";

/** The interval between two counts of open descriptors, normally and when they are scarce. */
const [lookMs, scarceLookMs] = [250, 20];
/** The guard pauses this many times as long as its work took, so that requests get most of the time. */
const pausePerWork = 5;
/**
 * The open-file limit below which the start logs a warning, and the shortest time between two log lines about closed
 * connections.
 */
const [fewDescriptors, logMs] = [4_096, 60_000];

type GuardSettings = Pick<Config, "networkConnections" | "trustedProxies">;

/**
 * Closes connections before those of one network, or of many, take all descriptors. The runtime has no event for new
 * connections and cannot close a single one, so the guard counts descriptors now and then and shuts connections down.
 */
export class ConnectionGuard {
  readonly #port: number | undefined;
  readonly #settings: GuardSettings;
  readonly #descriptors: Descriptors;
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  #timer: NodeJS.Timeout;
  #endedSinceLog = 0;
  #loggedAt = -logMs;

  private constructor(port: number | undefined, settings: GuardSettings, descriptors: Descriptors, log: Log) {
    this.#port = port;
    this.#settings = settings;
    this.#descriptors = descriptors;
    this.#limits = connectionLimits(descriptors.max, settings.networkConnections);
    this.#log = log;
    this.#timer = this.#lookIn(lookMs);
  }

  /**
   * Guards the connections to `port`. For a socket file (undefined), it only keeps descriptors free for the store. Returns
   * undefined if the system does not show descriptors.
   */
  static start(port: number | undefined, settings: GuardSettings, log: Log): ConnectionGuard | undefined {
    const descriptors = platform.descriptors?.();
    if (descriptors === undefined) return undefined;
    const { max } = descriptors;
    if (max < fewDescriptors) {
      log.warn({ open_files: max, wanted: fewDescriptors }, "the limit of open files is low: raise it (ulimit -n)");
    }
    fillFdReserve();
    return new ConnectionGuard(port, settings, descriptors, log);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    const startedAt = performance.now();
    fillFdReserve();
    heldConnections.sweep();
    const { max } = this.#descriptors;
    const open = this.#descriptors.count();
    const isTight = this.#port !== undefined && isScarce(this.#limits, open, max);
    if (this.#port !== undefined && isTight) this.#endSome(this.#port, max - open);
    const tookMs = performance.now() - startedAt;
    const pauseMs = isTight ? Math.max(scarceLookMs, Math.min(lookMs, tookMs * pausePerWork)) : lookMs;
    this.#timer = this.#lookIn(pauseMs);
  }

  #endSome(port: number, free: number): void {
    const isTrusted = this.#trustMemo();
    const connections = this.#descriptors.listConnections(port).map((connection) => ({
      ...connection,
      network: isTrusted(connection.address) ? undefined : networkOf(connection.address),
      isHeld: heldConnections.has(connection),
    }));
    const ended = connectionsToEnd(connections, this.#limits, free);
    for (const connection of ended) this.#descriptors.shutDown(connection);
    if (ended.length > 0) this.#note(ended);
  }

  /** Returns a cached test for addresses of trusted proxies, since many connections have the same address. */
  #trustMemo(): (address: string) => boolean {
    const known = new Map<string, boolean>();
    const ranges = this.#settings.trustedProxies?.ranges ?? [];
    return (address) => {
      const before = known.get(address);
      if (before !== undefined) return before;
      const number = parseIpAddress(address);
      const isTrusted = number !== undefined && ranges.some((range) => isInRange(number, range));
      known.set(address, isTrusted);
      return isTrusted;
    };
  }

  #note(ended: readonly OpenConnection[]): void {
    this.#endedSinceLog += ended.length;
    const now = performance.now();
    if (now - this.#loggedAt < logMs) return;
    this.#loggedAt = now;
    const fields = { connections: this.#endedSinceLog, last_address: ended.at(-1)?.address };
    this.#log.warn(fields, "connections were closed because there were too many");
    this.#endedSinceLog = 0;
  }
}
