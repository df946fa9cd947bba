/** The runner of demos, which ends pending jobs with success and runs nothing. */

import type { Transaction } from "../../../store/index.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import { Quotas } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { appendTrace, traceEnd } from "../job-logs/index.ts";
import { advancePipeline, updateJobStatus } from "../pipelines/index.ts";
import { type CiJobRecord, ciJobs, isWaiting } from "../pipelines/records-jobs.ts";
import { recordContactOfJob } from "../runners/index.ts";
import { runners } from "../runners/records.ts";
import { finishJob } from "./service-timeout.ts";

const stepMs = 1_000;
/** The apparent duration of a job. */
const runMs = 3_000;
const jobsPerStep = 20;

/**
 * Takes every pending job and ends it with success some seconds later, for demos without a runner. It runs nothing,
 * and the log of each job, which grows meanwhile, says so. Runners of the instance count as online. Its current jobs are marked in the store, so it continues after a restart.
 */
export const demoRunner: CronJob = {
  name: "demo_runner",
  schedule: ({ demoRunner: isWanted }) => (isWanted ? { everyMs: stepMs } : undefined),
  async run({ context, pace }) {
    const { store } = context;
    const documents = store.of(ciJobs);
    for (const id of store.of(runners).by.type.find("instance_type")) recordContactOfJob(context, id, undefined);
    for (const id of [...documents.by.flag.find("demo")]) {
      await continueDemo(context, id);
      await pace();
    }
    for (let ids = pendingJobs(context); ids.length > 0; ids = pendingJobs(context)) {
      store.transact((tx) => {
        for (const id of ids) beginDemo(tx, context, documents.get(id));
      });
      await pace();
    }
  },
};

function pendingJobs({ store }: Context): number[] {
  const documents = store.of(ciJobs);
  const ids: number[] = [];
  for (const id of documents.by.status.find("pending")) {
    const job = documents.get(id);
    if (job !== undefined && isWaiting(job)) ids.push(id);
    if (ids.length === jobsPerStep) break;
  }
  return ids;
}

function beginDemo(tx: Transaction, context: Context, job: CiJobRecord | undefined): void {
  if (job?.status !== "pending") return;
  updateJobStatus(tx, context, job, "running", { is_demo: true });
  advancePipeline(tx, context, job.pipeline_id);
}

/** Writes the part of the log that is due by now, and ends the job with its last line. */
async function continueDemo(context: Context, id: number): Promise<void> {
  const { store, clock } = context;
  const running = () => {
    const job = store.of(ciJobs).get(id);
    return job?.status === "running" && job.is_demo === true ? job : undefined;
  };
  const job = running();
  if (job === undefined || job.started_at === null) return;
  const elapsedMs = clock.now() - Date.parse(job.started_at);
  const isOver = elapsedMs >= runMs;
  const lines = linesOf(job);
  const due = isOver ? lines : lines.slice(0, Math.floor((lines.length * elapsedMs) / runMs));
  const bytes = new TextEncoder().encode(due.join("")).subarray(traceEnd(store, id).size);
  if (bytes.length === 0) return;
  const blob = await context.get(Quotas).writeBlob(`project ${job.project_id}`, [bytes]);
  try {
    store.transact((tx) => {
      // It may have been canceled meanwhile.
      const now = running();
      if (now === undefined) return;
      appendTrace(tx, store, now, blob);
      if (isOver) finishJob(tx, context, now, "success");
    });
  } finally {
    blob.release();
  }
}

function linesOf({ config }: CiJobRecord): string[] {
  const commands = [...config.before_script, ...config.script, ...config.after_script];
  return [
    "Demonstration: this server has OUTPOST_DEMO_RUNNER set, and nothing was run.",
    "A runner would have run:",
    ...commands.map((command) => `$ ${command}`),
    "Job succeeded, as every job does here.",
  ].map((line) => `${line}\n`);
}
