import type { Clock } from "../../domain/clock.ts";

/** The sender of a body decides how much of it is read, beside how many others, and how long it may take. */
export interface Sender {
  /** As connections are counted; undefined for those that have none, as at a socket file. */
  readonly address: string | undefined;
  /** The head of the request shows no valid credential. */
  readonly isStranger: boolean;
  readonly clock: Clock;
  /** Has `end` called when the request is answered: until then its handler has the body. */
  readonly onAnswered: (end: () => void) => void;
}

/** Of a stranger's body no more is read: a token may travel in it. */
export const strangersBytesMax = 1024 * 1024;
