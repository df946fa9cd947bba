import { invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type JobRecord, type JobState, jobStates, jobs, queueKey, turnKey, userKindKey } from "./records.ts";

export interface NewJob {
  /** Name of a kind in `jobKinds`. */
  readonly kind: string;
  /** The job starts at once if this is absent. */
  readonly due_at?: DateTime;
  /** JSON, small. */
  readonly payload: unknown;
  /** For `countJobsOf`, and for kinds of which users take turns. */
  readonly user_id?: number;
}

/** Asks for work after this transaction, exactly if it becomes durable. */
export function enqueueJob(tx: Transaction, context: Pick<Context, "clock">, job: NewJob): JobRecord {
  const now = toDateTime(context.clock.now());
  return tx.insert(jobs, {
    id: tx.nextId("background_jobs"),
    kind: job.kind,
    state: "queued",
    due_at: job.due_at ?? now,
    attempts: 0,
    last_error: null,
    payload: job.payload,
    ...(job.user_id === undefined ? {} : { user_id: job.user_id }),
    created_at: now,
    updated_at: now,
  });
}

/**
 * Cancels a job in any state; false when it has ended already. An attempt under way can neither note progress
 * nor complete any more.
 */
export function cancelJob(tx: Transaction, { store }: Pick<Context, "store">, id: number): boolean {
  if (store.of(jobs).get(id) === undefined) return false;
  tx.remove(jobs, id);
  return true;
}

/** `GET /-/jobs`: newest first. */
export function listJobs(store: Store, { state }: { state?: JobState }, page: PageRequest): Page<JobRecord> {
  const where = state === undefined ? [] : [{ index: "state", key: state } as const];
  return store.page(jobs, { where, order: "id", descending: true, page });
}

/** Lets a job that was given up start anew, with as many attempts as a new one. Throws 404, and 400 unless it has failed. */
export function retryJob({ store, clock }: Context, id: number): JobRecord {
  return store.transact((tx) => {
    const job = getFailedJob(store, id);
    const now = toDateTime(clock.now());
    const retried: JobRecord = { ...job, state: "queued", attempts: 0, due_at: now, updated_at: now };
    tx.update(jobs, retried);
    return retried;
  });
}

/** Forgets a job that was given up. Throws 404, 400 unless it has failed, and 412 if it has changed since. */
export function deleteJob({ store }: Context, id: number, unmodifiedSince: DateTime | undefined): void {
  store.transact((tx) => {
    const job = getFailedJob(store, id);
    requireUnmodified(job, unmodifiedSince);
    tx.remove(jobs, id);
  });
}

function getFailedJob(store: Store, id: number): JobRecord {
  const job = store.of(jobs).get(id);
  if (job === undefined) throw notFound("Job");
  if (job.state !== "failed") throw invalid(`400 Bad request - the job is ${job.state}, and has not failed`);
  return job;
}

/** The number of jobs of a kind in a state. */
export interface JobCount {
  readonly kind: string;
  readonly state: JobState;
  readonly count: number;
}

export function countJobs(store: Store, kinds: readonly { readonly kind: string }[]): JobCount[] {
  const { line } = store.of(jobs).by;
  return kinds.flatMap(({ kind }) =>
    jobStates.map((state) => ({ kind, state, count: line.countBetween(...boundsOf(state, kind)) })),
  );
}

/** The jobs of a kind that wait or run, or were given up, and that name this user. */
export function countJobsOf(store: Store, userId: number, kind: string): number {
  return store.of(jobs).by.user_kind.find(userKindKey(userId, kind)).size;
}

/** The queued job of a kind that is due first. */
export function findFirstQueued(store: Store, kind: string): JobRecord | undefined {
  const documents = store.of(jobs);
  const [id] = documents.by.line.between(...boundsOf("queued", kind));
  return id === undefined ? undefined : documents.get(id);
}

/** The number of users whose jobs are looked at for one that is due. */
const usersMax = 64;

/** A queued job of a kind that is due at a time: that of the user next after one, or else the one that is due first. */
export function findNextQueued(store: Store, kind: string, userId: number, now: DateTime): JobRecord | undefined {
  const documents = store.of(jobs);
  const [line, end] = boundsOf("queued", kind);
  let from = `${line}${turnKey(userId + 1)}`;
  let hasWrapped = false;
  for (let tries = 0; tries < usersMax; tries += 1) {
    const [id] = documents.by.turn.between(from, end);
    const job = id === undefined ? undefined : documents.get(id);
    if (job !== undefined && job.due_at <= now) return job;
    if (job === undefined && hasWrapped) break;
    hasWrapped ||= job === undefined;
    from = job === undefined ? line : `${line}${turnKey((job.user_id ?? 0) + 1)}`;
  }
  return findFirstQueued(store, kind);
}

/** Every key of the line begins with a time, and each time begins with a digit. */
function boundsOf(state: JobState, kind: string): [lowest: string, highest: string] {
  const line = queueKey(state, kind);
  return [line, `${line}~`];
}
