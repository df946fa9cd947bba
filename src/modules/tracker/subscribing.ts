import type { Store, Transaction } from "../../store/index.ts";
import { type SubjectRef, subjectKey } from "./subjects.ts";
import { subscriptions } from "./subscriptions.ts";

/** What the user last said about hearing of it; undefined when never. */
export function findSubscription(store: Store, subject: SubjectRef, userId: number): boolean | undefined {
  const id = store.of(subscriptions).by.holder.find(`${subjectKey(subject)} ${userId}`);
  return id === undefined ? undefined : store.of(subscriptions).get(id)?.subscribed;
}

export function setSubscription(
  store: Store,
  tx: Transaction,
  subject: SubjectRef,
  userId: number,
  subscribed: boolean,
): void {
  const known = store.of(subscriptions).by.holder.find(`${subjectKey(subject)} ${userId}`);
  const row = { subject_type: subject.type, subject_id: subject.id, user_id: userId, subscribed };
  if (known === undefined) tx.insert(subscriptions, { id: tx.nextId("subscriptions"), ...row });
  else tx.update(subscriptions, { id: known, ...row });
}
