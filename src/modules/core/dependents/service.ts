import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { awardEmoji } from "../../discussions/award-emoji/records.ts";
import { notes } from "../../discussions/notes/records.ts";
import type { Context } from "../../kernel/context.ts";
import { firstOf } from "../../kernel/removal.ts";
import { subscriptions } from "../../planning/subscriptions/records.ts";
import { enqueueJob, type JobKind, jobKind, Slice } from "../background-jobs/index.ts";

/**
 * Removes at most `limit` notes, reactions and subscriptions of an issue, epic or note, in the transaction that deletes
 * it or in a job after that. Returns how many; fewer than `limit` were the last.
 */
export function removeDependents(tx: Transaction, store: Store, subject: SubjectRef, limit: number): number {
  const key = subjectKey(subject);
  let taken = 0;
  for (const id of firstOf(store.of(notes).by.noteable.find(key), limit)) {
    if (taken >= limit) return taken;
    taken += removeDependents(tx, store, { type: "Note", id }, limit - taken);
    if (taken >= limit) return taken;
    tx.remove(notes, id);
    taken += 1;
  }
  for (const id of firstOf(store.of(awardEmoji).by.awardable.find(key), limit - taken)) {
    tx.remove(awardEmoji, id);
    taken += 1;
  }
  for (const id of firstOf(store.of(subscriptions).by.subject.find(key), limit - taken)) {
    tx.remove(subscriptions, id);
    taken += 1;
  }
  return taken;
}

/** The number of records that the transaction of a deletion removes at most; a job removes the rest. */
const atOnceMax = 200;
/** The number of records that one step of the job removes. */
const stepMax = 50;

/** Removes what `removeDependents` removes, of a subject that the transaction deletes: however much it is, others do not wait. */
export function removeAllDependents(
  tx: Transaction,
  context: Pick<Context, "store" | "clock">,
  { type, id }: SubjectRef,
): void {
  const isAll = removeSome(tx, context.store, { type, id }, atOnceMax);
  if (!isAll) enqueueJob(tx, context, { kind: dependentsDeletion.kind, payload: { type, id } });
}

/** Removes what still belongs to a subject that is deleted. */
export const dependentsDeletion: JobKind = jobKind<SubjectRef>({
  kind: "dependents_deletion",
  async run({ context, payload, pace, complete }) {
    let isAll = false;
    while (!isAll) {
      await pace();
      isAll = context.store.transact((tx) => {
        const wasAll = removeSome(tx, context.store, payload, stepMax);
        if (wasAll) complete(tx);
        return wasAll;
      });
    }
  },
});

/** Returns true when nothing is left. */
function removeSome(tx: Transaction, store: Store, subject: SubjectRef, limit: number): boolean {
  const slice = new Slice(tx, limit);
  slice.add(removeDependents(tx, store, subject, slice.room));
  return !slice.isFull;
}
