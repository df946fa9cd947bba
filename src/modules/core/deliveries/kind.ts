/** The kinds of deliveries. */

import type { Transaction } from "../../../store/index.ts";
import type { DeliveryEnd, DeliveryRecord } from "./records.ts";

/** The result of one attempt. */
export interface DeliveryOutcome {
  readonly isSent: boolean;
  /** In words that hold no credentials and nothing that the receiver said: `200`, `the connection was refused`. */
  readonly status: string;
  /** Whether nothing else of the lane would get through now: it pauses. */
  readonly isLaneBlocked?: boolean | undefined;
}

/** The rules of one kind of deliveries, for the worker. */
export interface DeliveryKind {
  /** One word, for logs: `mail`. */
  readonly name: string;
  /** Attempts before it fails: 1 for a kind without retries. */
  readonly attemptsMax: number;
  /** The delay before the next attempt, in milliseconds, after so many. */
  delayMs(attempts: number): number;
  /** The host whose deliveries under way are limited. */
  hostOf(delivery: DeliveryRecord): string;
  /** Whether it is still to be sent. Left out: always. */
  isWanted?(delivery: DeliveryRecord): boolean;
  /** Sends it: at least once, since the process may die before that is noted. An error counts as a fault of the server's own. */
  send(delivery: DeliveryRecord, signal: AbortSignal): Promise<DeliveryOutcome>;
  /** Notes the end with the content, in the transaction that removes the delivery. */
  recordEnd?(tx: Transaction, delivery: DeliveryRecord, end: DeliveryEnd): void;
}
