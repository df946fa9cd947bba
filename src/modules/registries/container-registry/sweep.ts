/** The periodic work that removes manifests and blobs that nothing names. */

import { dayMs, toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { BlobUploads } from "./distribution/uploads.ts";
import { containerBlobs, containerManifests } from "./records.ts";
import { removeBlob, removeManifest } from "./service-references.ts";

const hourMs = 60 * 60_000;
/** Things that one step takes. */
const step = { kind: "keyset", after: undefined, perPage: 50 } as const;

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
    for (const sweep of [sweepManifests, sweepBlobs]) {
      while (context.store.transact((tx) => sweep(tx, context, until)) === step.perPage) await pace();
    }
  },
};

function sweepManifests(tx: Transaction, context: Context, until: string): number {
  const where = [{ index: "idle_since", from: undefined, to: until } as const];
  const { items } = context.store.page(containerManifests, {
    where,
    order: "idle_since",
    descending: false,
    page: step,
  });
  for (const manifest of items) removeManifest(tx, context, manifest);
  return items.length;
}

function sweepBlobs(tx: Transaction, context: Context, until: string): number {
  const where = [{ index: "idle_since", from: undefined, to: until } as const];
  const { items } = context.store.page(containerBlobs, { where, order: "idle_since", descending: false, page: step });
  for (const blob of items) removeBlob(tx, context, blob);
  return items.length;
}
