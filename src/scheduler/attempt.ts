import { Failure } from "../domain/failure.ts";
import {
  backOffMs,
  failAttempt,
  findCurrentJob,
  finishJob,
  type JobKind,
  type LongWork,
  recordProgress,
  undoAttempt,
} from "../modules/core/background-jobs/index.ts";
import type { JobRecord } from "../modules/core/background-jobs/records.ts";
import type { Context } from "../modules/kernel/context.ts";

/** The wait before the next attempt while the store accepts no changes. */
export const refusedWaitMs = 5_000;

/**
 * The result of an attempt. `stopped` (the server stops) and `refused` (the store accepts no changes) do not count against
 * the job.
 */
export type AttemptEnd =
  | { readonly kind: "done" | "stopped" | "refused" }
  | { readonly kind: "failed"; readonly error: string };

/** Runs a job once. It begins when the start of the job is on disk. Never throws. */
export async function attempt(kind: JobKind, job: JobRecord, tools: LongWork): Promise<AttemptEnd> {
  const { context, signal } = tools;
  try {
    await context.store.settled();
    await tools.pace();
    await kind.run({
      ...tools,
      job,
      payload: job.payload,
      progress: (tx, payload) => recordProgress(tx, context, job, payload),
      complete: (tx) => finishJob(tx, job),
    });
    // An aborted job may have returned early, with work left.
    return { kind: signal.aborted ? "stopped" : "done" };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    return isRefusal(error) ? { kind: "refused" } : { kind: "failed", error: String(error) };
  }
}

/** Records the result of an attempt, unless the job has completed itself or was cancelled. Throws `Failure` 503. */
export function recordAttempt(context: Context, kind: JobKind, { id }: JobRecord, end: AttemptEnd): void {
  const { store, log } = context;
  const job = findCurrentJob(store, id);
  if (job === undefined) {
    const fields = { job: id, kind: kind.kind };
    if (end.kind === "failed")
      log.info({ ...fields, error: end.error }, "a job that had ended or was cancelled failed");
    return;
  }
  if (end.kind === "failed") recordFailure(context, kind, job, end.error);
  else if (end.kind === "done") store.transact((tx) => finishJob(tx, job));
  else store.transact((tx) => undoAttempt(tx, context, job, end.kind === "refused" ? refusedWaitMs : 0));
}

/** Makes a job that ran when the process died due at once. Throws `Failure` 503. */
export function resumeAfterCrash(context: Context, kind: JobKind | undefined, job: JobRecord): void {
  recordFailure(context, kind, job, "the process ended during the attempt", 0);
}

function recordFailure(
  context: Context,
  kind: JobKind | undefined,
  job: JobRecord,
  error: string,
  waitMs = backOffMs(job.attempts),
): void {
  const { store, log } = context;
  const failure = { error, waitMs, maxAttempts: kind?.maxAttempts };
  const fields = { job: job.id, kind: job.kind, attempts: job.attempts };
  try {
    const failed = store.transact((tx) => {
      const after = failAttempt(tx, context, job, failure);
      if (after.state === "failed") kind?.gaveUp?.(tx, { context, job: after, payload: after.payload });
      return after;
    });
    if (failed.state === "failed") log.error({ ...fields, error }, "a job was given up");
    else log.warn({ ...fields, error, due_at: failed.due_at }, "a job failed and will be tried again");
  } catch (thrown) {
    if (isRefusal(thrown)) throw thrown;
    store.transact((tx) => failAttempt(tx, context, job, failure));
    log.error(
      { ...fields, error, thrown: String(thrown) },
      "a job was given up, and what waited for it was not put right",
    );
  }
}

/** True when the error means that the store accepts no changes now. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.kind === "unavailable";
}
