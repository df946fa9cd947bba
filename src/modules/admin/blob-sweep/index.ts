import type { CronJob } from "../../core/background-jobs/index.ts";
import { defineModule } from "../../kernel/module.ts";

/** Bytes that no document needs any more go within so long. */
const everyMs = 10 * 60_000;

/**
 * Deletes the blobs of removed packages, image layers, avatars and payloads. The next start sweeps those that a crash
 * left.
 */
export const blobSweep: CronJob = {
  name: "blob_sweep",
  schedule: { everyMs },
  async run({ context }) {
    await context.store.background.sweeper.sweepUnneeded();
  },
};

export const blobSweepModule = defineModule({
  name: "blob-sweep",
  cron: [blobSweep],
});
