import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { type SubscriptionRecord, subscriptions } from "./records.ts";

/** The user's last choice about notifications of the subject; undefined when there is none. */
export function findSubscription(store: Store, subject: SubjectRef, userId: number): boolean | undefined {
  const id = store.of(subscriptions).by.holder.find(`${subjectKey(subject)} ${userId}`);
  return id === undefined ? undefined : store.of(subscriptions).get(id)?.subscribed;
}

/** The users whose last choice was to subscribe. */
export function subscribersTo(store: Store, subject: SubjectRef): number[] {
  const rows = store.of(subscriptions);
  return [...rows.by.subject.find(subjectKey(subject))]
    .map((id) => rows.get(id))
    .filter((row) => row?.subscribed === true)
    .map((row) => row?.user_id as number);
}

export function upsertSubscription(
  tx: Transaction,
  store: Store,
  subject: SubjectRef,
  userId: number,
  subscribed: boolean,
): void {
  const known = store.of(subscriptions).by.holder.find(`${subjectKey(subject)} ${userId}`);
  const row = { subject_type: subject.type, subject_id: subject.id, user_id: userId, subscribed };
  if (known === undefined) tx.insert(subscriptions, { id: tx.nextId("subscriptions"), ...row });
  else tx.update(subscriptions, { id: known, ...row });
}

/** Moves subscriptions when a subject is merged into another one; choices made there stay. */
export function moveSubscriptions(tx: Transaction, store: Store, from: SubjectRef, to: SubjectRef): void {
  const documents = store.of(subscriptions);
  for (const id of [...documents.by.subject.find(subjectKey(from))]) {
    const row = documents.get(id) as SubscriptionRecord;
    if (findSubscription(store, to, row.user_id) === undefined) tx.update(subscriptions, { ...row, subject_id: to.id });
    else tx.remove(subscriptions, id);
  }
}

/** Removes at most `limit` subscriptions of a subject that is being deleted; returns how many. */
export function removeSubscriptionsTo(
  tx: Transaction,
  store: Store,
  subject: SubjectRef,
  limit = Number.POSITIVE_INFINITY,
): number {
  const ids = [...store.of(subscriptions).by.subject.find(subjectKey(subject))].slice(0, limit);
  for (const id of ids) tx.remove(subscriptions, id);
  return ids.length;
}
