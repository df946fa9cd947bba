import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind, Slice } from "../../core/background-jobs/index.ts";
import { removeDependents } from "../../core/dependents/index.ts";
import { groupRemoval } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { firstOf } from "../../kernel/removal.ts";
import { removeEpicLink } from "../issues/index.ts";
import { issues } from "../issues/records.ts";
import { epicEvents } from "./events.ts";
import { type EpicRecord, epicIssues, epics } from "./records.ts";

/** The number of records that the transaction of the deletion removes at most; a job removes the rest. */
const atOnceMax = 200;
/** The number of records that one step of the job removes. */
const stepMax = 50;

/** `DELETE /groups/:id/epics/:epic_iid`: for owners and planners. Its issues lose it. Throws 403, 412. */
export function deleteEpic(
  context: Context,
  caller: SignedInCaller,
  epic: EpicRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  const level = context.get(Access).levelInGroup(caller.user, epic.group_id);
  if (level !== accessLevels.planner && level < accessLevels.owner) throw forbidden();
  requireUnmodified(epic, unmodifiedSince);
  context.store.transact((tx) => {
    removeEpic(tx, context, epic.id);
    publish(tx, context, epicEvents.deleted, { caller, before: epic, after: undefined });
  });
}

/** Deletes the epic, which is hidden at once, however much is in it. Returns the number of records that it has removed. */
function removeEpic(tx: Transaction, context: Pick<Context, "store" | "clock">, id: number): number {
  tx.remove(epics, id);
  const slice = new Slice(tx, atOnceMax);
  removeLinks(tx, context, id, slice);
  if (slice.isFull) enqueueJob(tx, context, { kind: epicDeletion.kind, payload: { epic_id: id } });
  return 1 + slice.records;
}

/** Deletes the first epics of `ids` until `limit` records are removed. Returns how many; fewer than `limit` are the last ones. */
export function removeEpics(
  tx: Transaction,
  context: Pick<Context, "store" | "clock">,
  ids: Iterable<number>,
  limit: number,
): number {
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    removed += removeEpic(tx, context, id);
    if (removed >= limit) break;
  }
  return removed;
}

/** Removes the links, notes and reactions of an epic that is deleted already. */
export const epicDeletion: JobKind = jobKind<{ readonly epic_id: number }>({
  kind: "epic_deletion",
  async run({ context, payload, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = context.store.transact((tx) => {
        const slice = new Slice(tx, stepMax);
        removeLinks(tx, context, payload.epic_id, slice);
        if (!slice.isFull) complete(tx);
        return !slice.isFull;
      });
    }
  },
});

/** Removes the epics of a deleted group, each with its links, notes and reactions. */
export const epicGroupRemoval = groupRemoval({
  remove(tx, context, { id }, limit) {
    const slice = new Slice(tx, limit);
    for (const epicId of [...context.store.of(epics).by.group_id.find(id)].slice(0, limit)) {
      removeLinks(tx, context, epicId, slice);
      // Full of texts is full: who calls goes on while the limit was reached.
      if (slice.isFull) return limit;
      tx.remove(epics, epicId);
      slice.add(1);
    }
    return slice.records;
  },
});

/** Takes out issues, child epics, reactions and subscriptions until the slice is full. */
function removeLinks(
  tx: Transaction,
  { store, clock }: Pick<Context, "store" | "clock">,
  id: number,
  slice: Slice,
): void {
  const now = toDateTime(clock.now());
  for (const issueId of issuesIn(store, id, slice.room)) {
    const issue = store.of(issues).get(issueId);
    if (slice.isFull) return;
    if (issue === undefined) continue;
    removeEpicLink(tx, store, issue);
    slice.add(1);
  }
  for (const childId of [...store.of(epics).by.parent_id.find(id)].slice(0, slice.room)) {
    const child = store.of(epics).get(childId);
    if (slice.isFull) return;
    if (child === undefined) continue;
    tx.update(epics, { ...child, parent_id: null, updated_at: now });
    slice.add(1);
  }
  slice.add(removeDependents(tx, store, { type: "Epic", id }, slice.room));
}

function issuesIn(store: Store, epicId: number, limit: number): number[] {
  const found: number[] = [];
  for (const id of store.of(epicIssues).by.epic_id.find(epicId)) {
    if (found.length >= limit) break;
    found.push(store.of(epicIssues).get(id)?.issue_id as number);
  }
  return found;
}
