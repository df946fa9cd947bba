import type { Clock } from "../../domain/clock.ts";
import type { Gate } from "../../lib/gate.ts";
import type { Load, Peer } from "../../modules/kernel/request-load.ts";

/** The sender of a body decides how much of it is read, beside how many others, and how long it may take. */
export interface Sender extends Pick<Peer, "address" | "isStranger"> {
  /** The load that the body counts for. */
  readonly load: Load;
  readonly clock: Clock;
  /** In a sandbox: the gate that is not closed before the body has come. undefined: nobody waits for the body. */
  readonly gate?: Pick<Gate, "closed" | "onClosing"> | undefined;
  /** Has `end` called when the request is answered: until then its handler has the body. */
  readonly onAnswered: (end: () => void) => void;
}

/** The largest body that is read from a stranger: a token may be in it. */
export const strangersBytesMax = 1024 * 1024;
