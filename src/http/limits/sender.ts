import type { Clock } from "../../domain/clock.ts";
import type { Gate } from "../../lib/gate.ts";

/** The sender of a body decides how much of it is read, beside how many others, and how long it may take. */
export interface Sender {
  /** The address by which connections are counted; undefined where there is none, as at a socket file. */
  readonly address: string | undefined;
  /** The head of the request shows no valid credential. */
  readonly isStranger: boolean;
  readonly clock: Clock;
  /** In a sandbox: the gate that is not closed before the body has come. undefined: nobody waits for the body. */
  readonly gate?: Pick<Gate, "closed" | "onClosing"> | undefined;
  /** Has `end` called when the request is answered: until then its handler has the body. */
  readonly onAnswered: (end: () => void) => void;
}

/** The largest body that is read from a stranger: a token may be in it. */
export const strangersBytesMax = 1024 * 1024;
