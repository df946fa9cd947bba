import type { Clock } from "../../domain/clock.ts";

/** Who sends a body: that decides how much of it is read, beside how many others, and how long it may take. */
export interface Sender {
  /** As connections are counted; undefined for those that have none, as at a socket file. */
  readonly address: string | undefined;
  /** What came before the body shows no credential that is good now. */
  readonly isStranger: boolean;
  readonly clock: Clock;
}

/** Of a stranger's body no more is read: a token may travel in it. */
export const strangersBytesMax = 1024 * 1024;
