import type { CronJob } from "../../core/background-jobs/index.ts";
import { defineModule } from "../../kernel/module.ts";

/** Bytes that no document needs any more go within so long. */
const everyMs = 10 * 60_000;

/** Of packages, image layers, pictures and payloads that were deleted. What a crash leaves, the next start sweeps. */
export const blobSweep: CronJob = {
  name: "blob_sweep",
  schedule: { everyMs },
  async run({ context }) {
    await context.store.background.sweeper.sweepLetGo();
  },
};

export const blobSweepModule = defineModule({
  name: "blob-sweep",
  cron: [blobSweep],
});
