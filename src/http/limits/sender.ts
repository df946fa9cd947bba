import type { Clock } from "../../domain/clock.ts";
import type { Gate } from "../../lib/gate.ts";
import type { Load, Peer } from "../../modules/kernel/request-load.ts";

/**
 * The sender of a body. It decides how much of the body is read, how many others may be received meanwhile, and how long it
 * may take.
 */
export interface Sender extends Pick<Peer, "address" | "isStranger"> {
  /** The load for which the body counts. */
  readonly load: Load;
  readonly clock: Clock;
  /** In a sandbox, the gate, which may wait for the body. undefined when nothing waits for it. */
  readonly gate?: Pick<Gate, "closed" | "onClosing"> | undefined;
  /** Registers a function for the end of the request: until then, its handler has the body. */
  readonly onAnswered: (end: () => void) => void;
}

/** The largest body from an anonymous client: it may have a token in it. */
export const strangersBytesMax = 1024 * 1024;
