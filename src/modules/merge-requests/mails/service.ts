import type { Store, Transaction } from "../../../store/index.ts";
import { findUser } from "../../core/users/index.ts";
import { Noteables } from "../../discussions/noteables/index.ts";
import type { Context } from "../../kernel/context.ts";
import {
  addressOfTarget,
  excerptOf,
  mentionedIn,
  nameOf,
  subjectOf,
  textOf,
} from "../../notifications/issue-mails/index.ts";
import { type NotificationEvent, notify } from "../../notifications/settings/index.ts";
import { findSubscription, subscribersTo } from "../../planning/subscriptions/index.ts";
import { type MergeRequestSaved, participantsOf } from "../merge-requests/index.ts";
import type { MergeRequestRecord } from "../merge-requests/records.ts";

/** The kinds of changes that mails report (merge-requests 13). */
type MergeRequestEvent = Extract<NotificationEvent, `${string}_merge_request`>;

/** Mails about a merge request that was made, closed, opened again, merged, pushed to, or given to others. */
export function mailMergeRequest(tx: Transaction, context: Context, change: MergeRequestSaved): void {
  const { caller, before, after } = change;
  const { store } = context;
  const ref = { type: "MergeRequest", id: after.id } as const;
  const noteables = context.get(Noteables);
  const target = noteables.findTarget(ref);
  const events = mailEventsOf(change);
  if (target === undefined || events.length === 0) return;
  const named = mentionedIn(store, after.title, after.description);
  const former = before === undefined ? [] : [...before.assignee_ids, ...before.reviewer_ids];
  for (const event of events) {
    const isNew = event === "new_merge_request";
    notify(tx, context, {
      event,
      project: target.project,
      actor: caller.user.id,
      participants: [...participantsOf(store, after), ...subscribersTo(store, ref), ...former, ...(isNew ? [] : named)],
      mentioned: isNew ? named : [],
      mayRead: (user) => findSubscription(store, ref, user.id) !== false && noteables.canRead(user, ref),
      topic: ref,
      subject: subjectOf(target.project, after, `!${after.iid}`),
      text: textOf(
        whatHappened(store, change, event),
        isNew ? excerptOf(after.description) : null,
        addressOfTarget(context, target),
      ),
    });
  }
}

/** The mails about a change, in the order in which they are written. */
function mailEventsOf({ before, after }: Pick<MergeRequestSaved, "before" | "after">): MergeRequestEvent[] {
  if (before === undefined) return ["new_merge_request"];
  const events: MergeRequestEvent[] = [];
  if (before.state !== after.state) events.push(eventOfState[after.state]);
  if (before.assignee_ids.join() !== after.assignee_ids.join()) events.push("reassign_merge_request");
  if (before.reviewer_ids.join() !== after.reviewer_ids.join()) events.push("change_reviewer_merge_request");
  if (before.head_sha !== after.head_sha) events.push("push_to_merge_request");
  return events;
}

const eventOfState = {
  opened: "reopen_merge_request",
  closed: "close_merge_request",
  merged: "merge_merge_request",
} as const satisfies Record<MergeRequestRecord["state"], MergeRequestEvent>;

function whatHappened(store: Store, { caller, before, after }: MergeRequestSaved, event: MergeRequestEvent): string {
  const name = nameOf(caller);
  const people = (ids: readonly number[] = []) => namesOf(store, ids);
  switch (event) {
    case "new_merge_request":
      return `${name} created a merge request from ${after.source_branch} to ${after.target_branch}.`;
    case "close_merge_request":
      return `${name} closed the merge request.`;
    case "reopen_merge_request":
      return `${name} reopened the merge request.`;
    case "merge_merge_request":
      return `${name} merged the merge request.`;
    case "push_to_merge_request":
      return `${name} pushed new commits to ${after.source_branch}.`;
    case "reassign_merge_request":
      return `${name} changed the assignees from ${people(before?.assignee_ids)} to ${people(after.assignee_ids)}.`;
    case "change_reviewer_merge_request":
      return `${name} changed the reviewers from ${people(before?.reviewer_ids)} to ${people(after.reviewer_ids)}.`;
  }
}

function namesOf(store: Store, ids: readonly number[]): string {
  const names = ids.map((id) => findUser(store, id)?.name).filter((name) => name !== undefined);
  return names.length === 0 ? "nobody" : names.join(", ");
}
