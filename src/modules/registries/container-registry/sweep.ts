/** The periodic work that removes manifests and blobs that nothing names. */

import { dayMs, toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { RemovalBudget } from "../../kernel/removal.ts";
import { BlobUploads } from "./distribution/uploads.ts";
import { containerBlobs, containerManifests } from "./records.ts";
import { removeBlob, removeManifest } from "./service-references.ts";

const hourMs = 60 * 60_000;
/** Things that one step takes. */
const stepMax = 50;

/**
 * Deletes data that nothing has named for a day, so that a client can name it again before: manifests whose last tag or
 * index is gone, and blobs that no manifest names. A manifest that was pushed by its digest, and never had a tag,
 * stays.
 */
export const containerSweep: CronJob = {
  name: "container_sweep",
  schedule: { everyMs: hourMs },
  async run({ context, pace }) {
    context.get(BlobUploads).expire();
    const until = toDateTime(context.clock.now() - dayMs);
    while (!context.store.transact((tx) => sweep(tx, context, until))) await pace();
  },
};

/** Removes as much as one step takes; true: nothing is left. A manifest takes as long as what it names. */
function sweep(tx: Transaction, context: Context, until: string): boolean {
  const { store } = context;
  const budget = new RemovalBudget(tx, stepMax);
  const oldest = (perPage: number) =>
    ({
      where: [{ index: "idle_since", from: undefined, to: until }],
      order: "idle_since",
      descending: false,
      page: { kind: "keyset", after: undefined, perPage },
    }) as const;
  budget.spend((limit) => {
    const { items } = store.page(containerManifests, oldest(limit));
    for (const manifest of items) removeManifest(tx, context, manifest);
    return items.length;
  });
  budget.spend((limit) => {
    const { items } = store.page(containerBlobs, oldest(limit));
    for (const blob of items) removeBlob(tx, store, blob);
    return items.length;
  });
  return budget.left > 0;
}
