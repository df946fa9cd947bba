import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind, Slice } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { Issuable, IssuableCollection, IssuableCondition } from "../issuables/records.ts";
import { none } from "../issues/records.ts";
import { hasCarriers, replaceInCarriers } from "./carriers.ts";
import { type CarriedType, carriedKey, type PendingUnlinkRecord, pendingUnlinks } from "./records.ts";

const indexOf = { label: "label_id", milestone: "milestone_id" } as const satisfies Record<CarriedType, string>;

/** Things that are changed in the transaction of the deletion itself; a job changes the others. */
const atOnceMax = 200;
/** Things that one step of the job changes. */
const stepMax = 20;

/**
 * Removes a label or milestone from the issues, merge requests and epics that carry it, or replaces it with the one that it is merged
 * into, in the transaction that deletes it. However many there are, no reader sees it on them any more, if ids are read
 * with `remainingIds` and looked for with `carriedIds` and `withoutLabel`/`withoutMilestone`.
 */
export function unlinkEverywhere(
  tx: Transaction,
  context: Pick<Context, "store" | "clock">,
  type: CarriedType,
  deletedId: number,
  intoId: number | null,
): void {
  const { store } = context;
  for (const unlink of pendingUnlinksInto(store, type, deletedId))
    tx.update(pendingUnlinks, { ...unlink, into_id: intoId });
  replaceInCarriers(tx, store, type, deletedId, intoId, new Slice(tx, atOnceMax));
  if (!hasCarriers(store, type, deletedId)) return;
  const { id } = tx.insert(pendingUnlinks, {
    id: tx.nextId("pending_unlinks"),
    type,
    deleted_id: deletedId,
    into_id: intoId,
  });
  enqueueJob(tx, context, { kind: unlinkJob.kind, payload: { pending_unlink_id: id } });
}

/** Removes the ids of deleted labels and milestones from what carries them. */
export const unlinkJob: JobKind = jobKind<{ readonly pending_unlink_id: number }>({
  kind: "pending_unlink",
  async run({ context: { store }, payload, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = store.transact((tx) => {
        const unlink = store.of(pendingUnlinks).get(payload.pending_unlink_id);
        if (unlink !== undefined) {
          const { type, deleted_id, into_id } = unlink;
          replaceInCarriers(tx, store, type, deleted_id, into_id, new Slice(tx, stepMax));
          if (hasCarriers(store, type, deleted_id)) return false;
          tx.remove(pendingUnlinks, unlink.id);
        }
        complete(tx);
        return true;
      });
    }
  },
});

/** The ids that a record holds, without what was deleted, and what was merged under its new id. */
export function remainingIds(store: Store, type: CarriedType, ids: readonly number[]): readonly number[] {
  if (store.of(pendingUnlinks).size === 0) return ids;
  const present = new Set<number>();
  for (const id of ids) {
    const unlink = pendingUnlinkOf(store, type, id);
    const current = unlink === undefined ? id : unlink.into_id;
    if (current !== null) present.add(current);
  }
  return [...present];
}

/** The ids under which things may carry these: their own, and those of what was merged into them. */
export function carriedIds(store: Store, type: CarriedType, ids: readonly number[]): readonly number[] {
  if (store.of(pendingUnlinks).size === 0) return ids;
  return [...ids, ...ids.flatMap((id) => pendingUnlinksInto(store, type, id).map((each) => each.deleted_id))];
}

/** Issues or merge requests that carry one of these, or what was merged into it. */
export function carriersOf(store: Store, type: CarriedType, ids: readonly number[]): IssuableCondition {
  const [first, ...others] = carriedIds(store, type, ids).map((key) => ({ index: indexOf[type], key }) as const);
  return first !== undefined && others.length === 0 ? first : { anyOf: first === undefined ? [] : [first, ...others] };
}

/** The deleted labels or milestones that things still name until the job ends. */
export function deletedIds(store: Store, type: CarriedType): number[] {
  const documents = store.of(pendingUnlinks);
  return [...documents.by.deleted.find(type)].map((id) => documents.get(id)?.deleted_id ?? none);
}

/** The labels or milestones that were merged into another, and that things still name until the job ends. */
export function mergedInto(store: Store, type: CarriedType): { deleted_id: number; into_id: number }[] {
  const documents = store.of(pendingUnlinks);
  if (documents.size === 0) return [];
  return [...documents.by.into.keys()]
    .flatMap((key) => [...documents.by.into.find(key)])
    .map((id) => documents.get(id))
    .flatMap((each) =>
      each?.type === type && each.into_id !== null ? [{ deleted_id: each.deleted_id, into_id: each.into_id }] : [],
    );
}

/** Things without any label. */
export function withoutLabel<T extends Issuable>(store: Store, collection: IssuableCollection<T>): IssuableCondition {
  const carriesNothingElse = ({ label_ids }: T) => remainingIds(store, "label", label_ids).length === 0;
  return withoutAny(store, collection, "label", carriesNothingElse);
}

/** Things without a milestone. */
export function withoutMilestone<T extends Issuable>(
  store: Store,
  collection: IssuableCollection<T>,
): IssuableCondition {
  return withoutAny(store, collection, "milestone", () => true);
}

/** Finds things without any. While deleted ones are still being unlinked, it checks those that carry them one by one. */
function withoutAny<T extends Issuable>(
  store: Store,
  collection: IssuableCollection<T>,
  type: CarriedType,
  carriesNothingElse: (issuable: T) => boolean,
): IssuableCondition {
  const index = indexOf[type];
  const noneHeld = { index, key: none } as const;
  const leaving = deletedIds(store, type);
  if (leaving.length === 0) return noneHeld;
  const documents = store.of(collection);
  const ids = new Set<number>();
  for (const deletedId of leaving) {
    for (const id of documents.by[index].find(deletedId)) {
      const issuable = documents.get(id);
      if (issuable !== undefined && carriesNothingElse(issuable)) ids.add(id);
    }
  }
  return { anyOf: [noneHeld, { ids }] };
}

function pendingUnlinkOf(store: Store, type: CarriedType, id: number): PendingUnlinkRecord | undefined {
  const found = store.of(pendingUnlinks).by.deleted_id.find(carriedKey(type, id));
  return found === undefined ? undefined : store.of(pendingUnlinks).get(found);
}

function pendingUnlinksInto(store: Store, type: CarriedType, id: number): PendingUnlinkRecord[] {
  return [...store.of(pendingUnlinks).by.into.find(carriedKey(type, id))]
    .map((each) => store.of(pendingUnlinks).get(each))
    .filter((each) => each !== undefined);
}
