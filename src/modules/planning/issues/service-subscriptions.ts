import type { SignedInCaller } from "../../../domain/caller.ts";
import { unchanged } from "../../../domain/failure.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import type { Store } from "../../../store/index.ts";
import { type NoteRecord, notes } from "../../discussions/notes/records.ts";
import type { Context } from "../../kernel/context.ts";
import { findSubscription, upsertSubscription } from "../subscriptions/index.ts";
import type { IssueRecord } from "./records.ts";

export function issueRef({ id }: { readonly id: number }): SubjectRef {
  return { type: "Issue", id };
}

/** The user's last choice counts; without one, participants are subscribed. */
export function isSubscribed(store: Store, issue: IssueRecord, userId: number): boolean {
  return findSubscription(store, issueRef(issue), userId) ?? isTakingPart(store, issue, userId);
}

/** `subscribe` and `unsubscribe` (1.2). Throws 304 when it is so already. */
export function updateSubscription(
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  wanted: boolean,
): void {
  const { store } = context;
  if (isSubscribed(store, issue, caller.user.id) === wanted) throw unchanged();
  store.transact((tx) => upsertSubscription(tx, store, issueRef(issue), caller.user.id, wanted));
}

/** Author, assignees and authors of notes that `mayRead` holds for, each once, in this order. */
export function participantsOf(
  store: Store,
  issue: IssueRecord,
  mayRead: (note: NoteRecord) => boolean = () => true,
): number[] {
  return [...new Set([issue.author_id, ...issue.assignee_ids, ...writersOn(store, issue, mayRead)])];
}

function isTakingPart(store: Store, issue: IssueRecord, userId: number): boolean {
  if (issue.author_id === userId || issue.assignee_ids.includes(userId)) return true;
  return issue.user_notes_count > 0 && writersOn(store, issue, () => true).includes(userId);
}

function writersOn(store: Store, issue: IssueRecord, mayRead: (note: NoteRecord) => boolean): number[] {
  const documents = store.of(notes);
  return [...documents.by.noteable.find(subjectKey(issueRef(issue)))]
    .map((id) => documents.get(id))
    .filter((note) => note !== undefined)
    .filter((note) => !note.system && mayRead(note))
    .map(({ author_id }) => author_id);
}
