/** The periodic work that ends jobs which no runner takes. */

import { toDateTime } from "../../../lib/datetime.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { ciJobs, isWaiting } from "../pipelines/records-jobs.ts";
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
    const { status } = context.store.of(ciJobs).by;
    const latest = toDateTime(context.clock.now() - pendingMs);
    let ids: number[] = [];
    const endStep = async () => {
      endThoseOf(context, ids, latest);
      ids = [];
      await pace();
    };
    for (const id of status.find("pending")) {
      ids.push(id);
      if (ids.length === jobsPerStep) await endStep();
    }
    await endStep();
  },
};

function endThoseOf(context: Context, ids: readonly number[], latest: string): void {
  const documents = context.store.of(ciJobs);
  const isStuck = (id: number) => {
    const job = documents.get(id);
    return job !== undefined && isWaiting(job) && (job.queued_at ?? job.created_at) <= latest;
  };
  if (!ids.some(isStuck)) return;
  context.store.transact((tx) => {
    for (const id of ids) {
      const job = isStuck(id) ? documents.get(id) : undefined;
      if (job !== undefined) finishJob(tx, context, job, "failed", { failure_reason: "stuck_or_timeout_failure" });
    }
  });
}
