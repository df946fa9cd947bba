import type { LogChoice } from "../logger.ts";

/** Messages from the server's thread to the log's thread. The first one is `begin`. */
export type LogOrder = BeginOrder | LinesOrder | WatchOrder;

export interface BeginOrder {
  readonly kind: "begin";
  readonly choice: LogChoice;
  /** The file descriptor to write to. */
  readonly descriptor: number;
  /** The memory of the `LogCounters`. */
  readonly memory: SharedArrayBuffer;
}

export interface LinesOrder {
  readonly kind: "lines";
  /** Whole lines; empty when the order only reports `dropped`. */
  readonly text: string;
  /** The number of lines dropped just before these. */
  readonly dropped: number;
}

/** Makes the thread warn when the server's event loop is blocked. */
export interface WatchOrder {
  readonly kind: "watch";
  /** The memory of the `LoopActivity`. */
  readonly memory: SharedArrayBuffer;
}
