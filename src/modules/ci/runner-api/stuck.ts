/** The periodic work that ends jobs which no runner takes. */

import { toDateTime } from "../../../lib/datetime.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { ciJobs } from "../pipelines/index.ts";
import { finishJob } from "./service-timeout.ts";

const hourMs = 60 * 60 * 1000;
/** Time after which a job without a runner fails. */
const pendingMs = 24 * hourMs;
const jobsPerStep = 20;

/** Ends jobs that no runner has taken for a day, so that their pipelines end, too. */
export const stuckCiJobs: CronJob = {
  name: "stuck_ci_jobs",
  schedule: { everyMs: hourMs },
  atStart: true,
  async run({ context, pace }) {
    const { line } = context.store.of(ciJobs).by;
    const latest = toDateTime(context.clock.now() - pendingMs);
    for (const key of [...line.keys()]) {
      const ids = [...line.find(key)];
      for (let at = 0; at < ids.length; at += jobsPerStep) {
        endThoseOf(context, ids.slice(at, at + jobsPerStep), latest);
        await pace();
      }
    }
  },
};

function endThoseOf(context: Context, ids: readonly number[], latest: string): void {
  const documents = context.store.of(ciJobs);
  const isStuck = (id: number) => {
    const job = documents.get(id);
    return job?.status === "pending" && (job.queued_at ?? job.created_at) <= latest;
  };
  if (!ids.some(isStuck)) return;
  context.store.transact((tx) => {
    for (const id of ids) {
      const job = isStuck(id) ? documents.get(id) : undefined;
      if (job !== undefined) finishJob(tx, context, job, "failed", { failure_reason: "stuck_or_timeout_failure" });
    }
  });
}
