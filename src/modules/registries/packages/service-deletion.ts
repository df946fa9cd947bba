import type { Caller } from "../../../domain/caller.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { subtractFromStatistics } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { packageEvents } from "./events.ts";
import { type PackageFileRecord, type PackageRecord, packageFiles, packagePipelines, packages } from "./records.ts";

/** Never changes: stores hold it. */
const packageDeletionKind = "package_deletion";

/** Things that the request takes, and that one step of the job does. */
const atOnceMax = 500;
const stepMax = 50;

/** `DELETE …/packages/:package_id`, with its files; if there are many, it is hidden and a job removes the rest. Throws 412. */
export function deletePackage(
  context: Context,
  caller: Caller,
  found: PackageRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(found, unmodifiedSince);
  const { store, clock } = context;
  store.transact((tx) => {
    publish(tx, context, packageEvents.deleted, { caller, before: found, after: undefined });
    if (removePart(tx, store, found.id, atOnceMax)) return;
    tx.update(packages, { ...found, status: "pending_destruction", updated_at: toDateTime(clock.now()) });
    enqueueJob(tx, context, { kind: packageDeletionKind, payload: { package_id: found.id } });
  });
}

export const packageDeletion: JobKind = jobKind<{ readonly package_id: number }>({
  kind: packageDeletionKind,
  async run({ context: { store }, payload: { package_id }, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = store.transact((tx) => {
        if (!removePart(tx, store, package_id, stepMax)) return false;
        complete(tx);
        return true;
      });
    }
  },
});

/** Its bytes are swept once no other file has the same. */
export function removeFile(tx: Transaction, store: Store, id: number): void {
  const file = store.of(packageFiles).get(id) as PackageFileRecord;
  subtractFromStatistics(tx, store, file.project_id, { packages_size: file.size });
  tx.remove(packageFiles, id);
}

/** Removes at most `limit` files and pipelines of a package, then the package itself; true: it is removed. */
function removePart(tx: Transaction, store: Store, id: number, limit: number): boolean {
  const files = firstOf(store.of(packageFiles).by.package_id.find(id), limit);
  for (const each of files) removeFile(tx, store, each);
  const links = firstOf(store.of(packagePipelines).by.package_id.find(id), limit - files.length);
  for (const each of links) tx.remove(packagePipelines, each);
  if (files.length + links.length === limit) return false;
  if (store.of(packages).get(id) !== undefined) tx.remove(packages, id);
  return true;
}

function firstOf(ids: Iterable<number>, limit: number): number[] {
  const first: number[] = [];
  for (const id of ids) {
    if (first.length >= limit) break;
    first.push(id);
  }
  return first;
}
