import type { Store, Transaction } from "../../../store/index.ts";
import { firstOf } from "../../kernel/removal.ts";
import { awardEmoji } from "./records-award-emoji.ts";
import { notes } from "./records-notes.ts";
import { subscriptions } from "./records-subscriptions.ts";
import { type SubjectRef, subjectKey } from "./subjects.ts";

/**
 * Removes at most `limit` notes, reactions and subscriptions of an issue, epic or note, in the transaction that deletes
 * it or in a job after that. Returns how many; fewer than `limit` were the last.
 */
export function removeDependents(tx: Transaction, store: Store, subject: SubjectRef, limit: number): number {
  const key = subjectKey(subject);
  let taken = 0;
  for (const id of [...store.of(notes).by.noteable.find(key)]) {
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
