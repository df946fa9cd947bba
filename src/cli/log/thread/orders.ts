import type { LogChoice } from "../logger.ts";

/** Messages from the server's thread to the thread that writes the log. The first order is `begin`. */
export type LogOrder = BeginOrder | LinesOrder | WatchOrder;

export interface BeginOrder {
  readonly kind: "begin";
  readonly choice: LogChoice;
  /** The descriptor that is written. */
  readonly descriptor: number;
  /** Of `LogCounters`. */
  readonly memory: SharedArrayBuffer;
}

export interface LinesOrder {
  readonly kind: "lines";
  /** Whole lines; empty where the order only reports `dropped`. */
  readonly text: string;
  /** Number of lines that were dropped just before these. */
  readonly dropped: number;
}

/** From now on the thread warns when the event loop of the server is held. */
export interface WatchOrder {
  readonly kind: "watch";
  /** Of `LoopActivity`. */
  readonly memory: SharedArrayBuffer;
}
