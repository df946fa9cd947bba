import type { SignedInCaller } from "../../../../domain/caller.ts";
import { toCalendarDate } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { findUser } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { requireValidTexts } from "../../../planning/issues/index.ts";
import {
  awardToggleRequested,
  type InterpretedText,
  interpretText,
  labelIdsAfter,
  type QuickActionUpdates,
} from "../../../planning/quick-actions/index.ts";
import { canSeeMergeRequestsOf } from "../../../planning/readable-merge-requests/index.ts";
import { upsertSubscription } from "../../../planning/subscriptions/index.ts";
import { withSpentTime } from "../../../planning/time-tracking/index.ts";
import { requireNoOpenTwin } from "../changes/branches.ts";
import { stateAfter, writeMergeRequest } from "../changes/service-write.ts";
import { canManage, canUpdate } from "../policy.ts";
import { isDraftTitle, type MergeRequestRecord, mergeRequests, withoutDraftMark } from "../records.ts";
import { isSubscribed, mergeRequestRef } from "../service-subscriptions.ts";
import { mergeRequestActions } from "./actions.ts";

/** Stands for the id of a merge request that is being created. */
export const idOfNew = 0;

/** Reads the quick actions in a comment on a merge request, or in its description. Nothing is changed. */
export function interpretMergeRequestText(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
  text: string,
): InterpretedText {
  const isNew = mergeRequest.id === idOfNew;
  const manages = !project.archived && canManage(context, caller, project);
  return interpretText(text, mergeRequestActions, {
    context,
    caller,
    project,
    noun: "merge request",
    state: mergeRequest,
    subject: isNew ? undefined : mergeRequestRef(mergeRequest),
    isSubscribed: !isNew && isSubscribed(context.store, mergeRequest, caller.user.id),
    rights: {
      canUpdate: canUpdate(context, caller, project, mergeRequest),
      canSetMetadata: manages,
      canAdminister: manages,
    },
    canBeAssigned(userId) {
      const user = findUser(context.store, userId);
      return user !== undefined && canSeeMergeRequestsOf(context.get(Access), user, project);
    },
    updates: {},
  });
}

/** The merge request with the attributes that quick actions ask for. */
export function withUpdates(
  context: Context,
  caller: SignedInCaller,
  mergeRequest: MergeRequestRecord,
  updates: QuickActionUpdates,
): MergeRequestRecord {
  const { assignee_ids, reviewer_ids, milestone_id, time_estimate, discussion_locked } = updates;
  const given = {
    ...{ assignee_ids, reviewer_ids, milestone_id, time_estimate, discussion_locked },
    title: titleAfter(updates.title ?? mergeRequest.title, updates.wip_event),
    label_ids: labelIdsAfter(context, updates, mergeRequest.label_ids),
  };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...mergeRequest, ...named, ...stateAfter(context, caller, mergeRequest, updates.state_event) };
}

function titleAfter(title: string, event: QuickActionUpdates["wip_event"]): string {
  if (event === "ready") return withoutDraftMark(title);
  return event === "draft" && !isDraftTitle(title) ? `Draft: ${title}` : title;
}

/**
 * Carries out the quick actions of a text on a merge request, in the transaction of the text. Throws 400 for a bad title, 409 for one
 * that is opened again beside another one.
 */
export function writeQuickActions(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  mergeRequest: MergeRequestRecord,
  updates: QuickActionUpdates,
): void {
  const changed = withUpdates(context, caller, mergeRequest, updates);
  requireValidTexts(changed);
  if (changed.state === "opened") requireNoOpenTwin(context.store, changed, changed.id);
  writeOtherUpdates(tx, context, caller, writeMergeRequest(tx, context, caller, mergeRequest, changed), updates);
}

/** Carries out what `withUpdates` leaves: time, subscriptions and reactions. */
export function writeOtherUpdates(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  mergeRequest: MergeRequestRecord,
  { spend_time, subscription_event, emoji_award }: QuickActionUpdates,
): MergeRequestRecord {
  const { store } = context;
  const subject = mergeRequestRef(mergeRequest);
  if (spend_time?.duration === "reset") {
    writeMergeRequest(tx, context, caller, mergeRequest, { ...mergeRequest, total_time_spent: 0 });
  } else if (spend_time !== undefined) {
    const day = spend_time.spent_at ?? toCalendarDate(context.clock.now());
    const spent = { seconds: spend_time.duration, day };
    writeMergeRequest(tx, context, caller, mergeRequest, withSpentTime(mergeRequest, spent.seconds), { spent });
  }
  if (subscription_event !== undefined) {
    upsertSubscription(tx, store, subject, caller.user.id, subscription_event === "subscribe");
  }
  if (emoji_award !== undefined) publish(tx, context, awardToggleRequested, { caller, subject, name: emoji_award });
  return store.of(mergeRequests).get(mergeRequest.id) ?? mergeRequest;
}
