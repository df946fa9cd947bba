import type { SignedInCaller } from "../../../domain/caller.ts";
import { unchanged } from "../../../domain/failure.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import type { Store } from "../../../store/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import { notes } from "../../discussions/notes/records.ts";
import type { Context } from "../../kernel/context.ts";
import { mentionedIn } from "../../notifications/issue-mails/index.ts";
import { ReadableMergeRequests } from "../../planning/readable-merge-requests/index.ts";
import { findSubscription, upsertSubscription } from "../../planning/subscriptions/index.ts";
import type { MergeRequestRecord } from "./records.ts";

export function mergeRequestRef({ id }: { readonly id: number }): SubjectRef {
  return { type: "MergeRequest", id };
}

/** The user's last choice counts; without one, participants are subscribed. */
export function isSubscribed(store: Store, mergeRequest: MergeRequestRecord, userId: number): boolean {
  return (
    findSubscription(store, mergeRequestRef(mergeRequest), userId) ??
    participantsOf(store, mergeRequest).includes(userId)
  );
}

/** `subscribe` and `unsubscribe` (merge-requests 10). Throws 304 when it is so already. */
export function updateSubscription(
  context: Context,
  caller: SignedInCaller,
  mergeRequest: MergeRequestRecord,
  wanted: boolean,
): void {
  const { store } = context;
  if (isSubscribed(store, mergeRequest, caller.user.id) === wanted) throw unchanged();
  store.transact((tx) => upsertSubscription(tx, store, mergeRequestRef(mergeRequest), caller.user.id, wanted));
}

/** Author, assignees, reviewers and authors of notes, each once, in this order. */
export function participantsOf(store: Store, mergeRequest: MergeRequestRecord): number[] {
  const { author_id, assignee_ids, reviewer_ids } = mergeRequest;
  return [...new Set([author_id, ...assignee_ids, ...reviewer_ids, ...writersOn(store, mergeRequest)])];
}

function writersOn(store: Store, mergeRequest: MergeRequestRecord): number[] {
  if (mergeRequest.user_notes_count === 0) return [];
  const documents = store.of(notes);
  return [...documents.by.noteable.find(subjectKey(mergeRequestRef(mergeRequest)))]
    .map((id) => documents.get(id))
    .flatMap((note) => (note === undefined || note.system ? [] : [note.author_id]));
}

/** The participants, and the users whom title and description mention, as far as they may read it. */
export function listParticipants(context: Context, mergeRequest: MergeRequestRecord): UserRecord[] {
  const { store } = context;
  const { title, description } = mergeRequest;
  const readable = context.get(ReadableMergeRequests);
  const ids = new Set([...participantsOf(store, mergeRequest), ...mentionedIn(store, title, description)]);
  return [...ids]
    .map((id) => findUser(store, id))
    .filter((user) => user !== undefined && readable.has(user, mergeRequest)) as UserRecord[];
}
