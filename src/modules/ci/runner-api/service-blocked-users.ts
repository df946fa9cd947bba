import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, findFirstQueued, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { findUser, userEvents, userRemovalStep } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { advancePipeline, updateJobStatus } from "../pipelines/index.ts";
import { type CiJobRecord, ciJobs, isWaiting } from "../pipelines/records-jobs.ts";
import { RunnerQueue } from "./runner-queue.ts";

const jobsPerStep = 20;

/** Whether the jobs of a user may still run. */
export function canAct({ store }: Context, userId: number): boolean {
  return findUser(store, userId)?.state === "active";
}

/** Ends the jobs that wait for a runner and whose user may not act any more. */
export const blockedUserCiJobs: JobKind = jobKind<{ readonly user_id: number }>({
  kind: "blocked_user_ci_jobs",
  async run({ context, payload, pace }) {
    while (endSome(context, payload.user_id)) await pace();
    // Behind these, other jobs may have waited in the same lines.
    context.get(RunnerQueue).notify();
  },
});

/** Ends some jobs of one pipeline, which follows them once; false: none of the user's jobs waits. */
function endSome(context: Context, userId: number): boolean {
  const { store } = context;
  const documents = store.of(ciJobs);
  if (canAct(context, userId)) return false;
  const [first] = documents.by.waiting_user_id.find(userId);
  const pipelineId = first === undefined ? undefined : documents.get(first)?.pipeline_id;
  if (pipelineId === undefined) return false;
  store.transact((tx) => {
    const jobs = [...documents.by.pipeline_id.find(pipelineId)]
      .map((id) => documents.get(id) as CiJobRecord)
      .filter((job) => job.user_id === userId && isWaiting(job))
      .slice(0, jobsPerStep);
    for (const job of jobs) updateJobStatus(tx, context, job, "failed", { failure_reason: "user_blocked" });
    advancePipeline(tx, context, pipelineId);
  });
  return true;
}

/** For jobs that become pending long after their user was blocked, such as delayed ones. */
export function endLaterFor(context: Context, userId: number): void {
  const { kind } = blockedUserCiJobs;
  if (findFirstQueued(context.store, kind) !== undefined) return;
  context.store.transact((tx) => enqueueJob(tx, context, { kind, payload: { user_id: userId } }));
}

/** The jobs of a blocked, banned, deactivated or deleted user end before a runner asks for them. */
export const endsOfUsers = [
  subscribe(userEvents.updated, {
    run(tx, context, { before, after }) {
      if (before.state === "active" && after.state !== "active") endJobsOf(tx, context, after);
    },
  }),
  subscribe(userRemovalStep, {
    phase: 9,
    run(tx, context, { user, budget }) {
      // While more is to be removed, the user may still act.
      if (budget.left > 0) endJobsOf(tx, context, user);
    },
  }),
];

function endJobsOf(tx: Transaction, context: Context, { id: user_id }: UserRecord): void {
  if (context.store.of(ciJobs).by.waiting_user_id.find(user_id).size === 0) return;
  enqueueJob(tx, context, { kind: blockedUserCiJobs.kind, payload: { user_id } });
}
