import type { DateTime } from "../../lib/datetime.ts";
import type { Transaction } from "../../store/index.ts";
import type { Context } from "./context.ts";

/** A job as its record says. */
export interface StoredJob {
  readonly id: number;
  readonly kind: string;
  /** Starts so far, but for those that a stop of the server ended. */
  readonly attempts: number;
  /** The error of the last attempt. */
  readonly last_error: string | null;
  readonly created_at: DateTime;
}

/** The tools of long work, with which it leaves time to requests. */
export interface LongWork {
  readonly context: Context;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  /**
   * Awaited after every small step, of a millisecond at most: lets others have their turn when it is theirs. Throws
   * once `signal` is aborted, which ends the work until the next start.
   */
  pace(): Promise<void> | undefined;
}

/** One attempt at a job. */
export interface JobRun<P> extends LongWork {
  /** The record as it was when the attempt began. */
  readonly job: StoredJob;
  readonly payload: P;
  /** Notes in the job's own transaction how far it has come: what the next attempt gets as `payload`. */
  progress(tx: Transaction, payload: P): void;
  /** Ends the job in its own last transaction. Without it, the job ends after `run` has returned. */
  complete(tx: Transaction): void;
}

/**
 * The work of jobs of one kind. Each is started at least once and its end is recorded exactly once: after a failure, a
 * stop or a crash it begins again with the payload of its last `progress`, so each step must be repeatable. Both
 * `progress` and `complete` throw when the job was cancelled.
 */
export interface JobKind<P = unknown> {
  /** Letters, digits and `_`. Never changed once released: stores hold it. */
  readonly kind: string;
  /** Runs at the same time; 1 unless said. */
  readonly concurrency?: number;
  /** Users take turns, however many jobs each of them has waiting: their jobs name them. */
  readonly takesTurns?: true;
  /** 10 unless said. */
  readonly maxAttempts?: number;
  run(run: JobRun<P>): Promise<void> | void;
  /** Updates whatever waits for the job, in the transaction that gives it up after its last attempt. */
  gaveUp?(tx: Transaction, given: { readonly context: Context; readonly job: StoredJob; readonly payload: P }): void;
}

/** Ties the types of one kind together; the table holds them without the type of their payload. */
export function jobKind<P>(declared: JobKind<P>): JobKind {
  return declared as JobKind;
}

/** The times of periodic work: a time of each day in UTC, a cron pattern in UTC, or an interval after the last run. */
export type Schedule =
  /** Milliseconds after midnight. */
  { readonly dailyAtMs: number } | { readonly cron: string } | { readonly everyMs: number };

/** Every day at 00:00 UTC. */
export const daily: Schedule = { dailyAtMs: 0 };

/**
 * Periodic work. It has no record: it finds its work in the store, in small steps, so that a run that was missed or
 * interrupted loses nothing. Work that must not be lost, it enqueues. After an error it is tried again with the
 * back-off of jobs, or at its next time if that is sooner.
 */
export interface CronJob {
  readonly name: string;
  /** undefined: the settings of the server do not want it. */
  readonly schedule: Schedule | ((context: Context) => Schedule | undefined);
  /** Done when the server starts, too. */
  readonly atStart?: true;
  run(work: LongWork): Promise<void> | void;
}
