import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type JobRecord, jobs } from "./records.ts";

type StoreAndClock = Pick<Context, "clock" | "store">;

const maxAttemptsByDefault = 10;
/** The most failed jobs that are stored; the oldest is removed first. */
const failedMax = 1_000;
const errorLengthMax = 1_000;
const firstWaitMs = 5_000;
const longestWaitMs = 3_600_000;

/** The wait after the n-th failure in a row: 5 s, then twice as long each time, up to an hour. */
export function backOffMs(failures: number): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
}

export function startJob(tx: Transaction, context: StoreAndClock, job: JobRecord): JobRecord {
  return change(tx, context, job, { state: "running", attempts: job.attempts + 1 });
}

/** Ends the job. Throws when there is no such job any more. */
export function finishJob(tx: Transaction, job: JobRecord): void {
  tx.remove(jobs, job.id);
}

/** Throws when there is no such job any more. */
export function recordProgress(tx: Transaction, context: StoreAndClock, { id }: JobRecord, payload: unknown): void {
  const current = findCurrentJob(context.store, id);
  if (current === undefined) throw new Error(`job ${id} was cancelled or has ended`);
  change(tx, context, current, { payload });
}

/** Back into the line, as if the attempt had not been made: what ended it was not the job's doing. */
export function undoAttempt(tx: Transaction, context: StoreAndClock, job: JobRecord, waitMs: number): void {
  change(tx, context, job, { state: "queued", attempts: job.attempts - 1, due_at: inMs(context, waitMs) });
}

/** Jobs that ran when the process ended without a stop; the attempt counts, since the job may be why. */
export function listRunningJobs(store: Store): JobRecord[] {
  const documents = store.of(jobs);
  return [...documents.by.state.find("running")].map((id) => documents.get(id) as JobRecord);
}

/** Ends an attempt that failed or died: the job is queued again for `waitMs` later, or given up after the last attempt. */
export function failAttempt(
  tx: Transaction,
  context: StoreAndClock,
  job: JobRecord,
  {
    error,
    waitMs,
    maxAttempts = maxAttemptsByDefault,
  }: { error: string; waitMs: number; maxAttempts?: number | undefined },
): JobRecord {
  const last_error = error.slice(0, errorLengthMax);
  if (job.attempts < maxAttempts) {
    return change(tx, context, job, { state: "queued", last_error, due_at: inMs(context, waitMs) });
  }
  const failed = change(tx, context, job, { state: "failed", last_error });
  const all = context.store.of(jobs).by.state.find("failed");
  const [oldest] = all;
  if (all.size > failedMax && oldest !== undefined) tx.remove(jobs, oldest);
  return failed;
}

/** The record as it is now; undefined once the job has ended. */
export function findCurrentJob(store: Store, id: number): JobRecord | undefined {
  return store.of(jobs).get(id);
}

function change(tx: Transaction, { clock }: StoreAndClock, job: JobRecord, changed: Partial<JobRecord>): JobRecord {
  return tx.update(jobs, { ...job, ...changed, updated_at: toDateTime(clock.now()) });
}

function inMs({ clock }: StoreAndClock, ms: number): DateTime {
  return toDateTime(clock.now() + ms);
}
