import { bitmap, collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";

/** A job that is done has no record any more. */
export const jobStates = ["queued", "running", "failed"] as const;
export type JobState = (typeof jobStates)[number];

/** Work for later: there from the transaction that asked for it to the one that ends it. */
export const JobRecord = record({
  id: field.whole,
  /** Name of a `JobKind`. */
  kind: field.text,
  state: field.oneOf(...jobStates),
  /** The time before which the job does not start. */
  due_at: field.moment,
  /** Starts so far, but for those that a stop of the server ended. */
  attempts: field.whole,
  /** The error of the last attempt. */
  last_error: field.nullable(field.text),
  /** JSON: what the job is about and how far it has come. Small, since each change of it is journalled whole. */
  payload: field.anything,
  /** The user who asked for it, where the number of their waiting jobs is limited, or users take turns. */
  user_id: field.optional(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
});
export type JobRecord = RecordOf<typeof JobRecord>;

export const jobs = collection("background-jobs", JobRecord, {
  indexes: {
    state: bitmap((job) => [job.state]),
    id: ordered((job) => job.id),
    user_kind: multi((job) => (job.user_id === undefined ? [] : [userKindKey(job.user_id, job.kind)])),
    line: ordered((job) => `${queueKey(job.state, job.kind)}${job.due_at}`),
    turn: ordered((job) => `${queueKey(job.state, job.kind)}${turnKey(job.user_id)}${job.due_at}`),
  },
});

/** Follows a queue key where users take turns: the jobs of one user are together. */
export function turnKey(userId = 0): string {
  return `${String(userId).padStart(16, "0")} `;
}

export function userKindKey(userId: number, kind: string): string {
  return `${userId} ${kind}`;
}

/** The prefix of the queue keys of a state and a kind; times and ids put the jobs in order behind it. */
export function queueKey(state: JobState, kind: string): string {
  return `${state} ${kind} `;
}
