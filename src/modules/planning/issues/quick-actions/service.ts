import type { SignedInCaller } from "../../../../domain/caller.ts";
import { toCalendarDate } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import { getProject } from "../../../core/access/index.ts";
import { findUser } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import {
  awardToggleRequested,
  type InterpretedText,
  interpretText,
  labelIdsAfter,
  type QuickActionUpdates,
} from "../../quick-actions/index.ts";
import { ReadableIssues } from "../../readable-issues/index.ts";
import { upsertSubscription } from "../../subscriptions/index.ts";
import { withSpentTime } from "../../time-tracking/index.ts";
import { writeMove } from "../changes/service-move.ts";
import { stateAfter, writeIssue } from "../changes/service-write.ts";
import { requireValidTexts } from "../changes/validation.ts";
import { issueMarkedAsDuplicate, issuePromotionRequested } from "../events.ts";
import { canPlan, canSetMetadataOfNewIssue } from "../policy.ts";
import { type IssueRecord, issues } from "../records.ts";
import { isSubscribed, issueRef } from "../service-subscriptions.ts";
import { issueActions } from "./actions.ts";

/** Reads the quick actions in a comment on an issue, or in its description. Nothing is changed. */
export function interpretIssueText(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  text: string,
): InterpretedText {
  const { user } = caller;
  const isPlanner = !project.archived && canPlan(context, caller, project);
  const isInvolved = issue.author_id === user.id || issue.assignee_ids.includes(user.id);
  const isNew = issue.id === idOfNew;
  const readable = context.get(ReadableIssues);
  return interpretText(text, issueActions, {
    context,
    caller,
    project,
    noun: issue.issue_type.replaceAll("_", " "),
    state: issue,
    subject: isNew ? undefined : issueRef(issue),
    isSubscribed: !isNew && isSubscribed(context.store, issue, user.id),
    rights: {
      canUpdate: isPlanner || (isInvolved && !project.archived),
      canSetMetadata: isNew ? canSetMetadataOfNewIssue(context, caller, project) : isPlanner,
      canAdminister: isPlanner,
    },
    canBeAssigned(userId) {
      const assignee = findUser(context.store, userId);
      return assignee !== undefined && readable.has(assignee, issue);
    },
    updates: {},
  });
}

/** Stands for the id of an issue that is being created. */
export const idOfNew = 0;

/** The issue with the attributes that quick actions ask for. */
export function withUpdates(
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  updates: QuickActionUpdates,
): IssueRecord {
  const { title, assignee_ids, milestone_id, due_date, time_estimate } = updates;
  const { discussion_locked, confidential, issue_type, severity, weight, health_status } = updates;
  const given = {
    ...{ title, assignee_ids, milestone_id, due_date, time_estimate },
    ...{ discussion_locked, confidential, issue_type, severity, weight, health_status },
    label_ids: labelIdsAfter(context, updates, issue.label_ids),
  };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...issue, ...named, ...stateAfter(context, caller, issue, updates.state_event) };
}

/** Carries out the quick actions of a text on an issue, in the transaction of the text. Throws 400 for a bad title. */
export function writeQuickActions(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  updates: QuickActionUpdates,
): IssueRecord {
  const changed = withUpdates(context, caller, issue, updates);
  requireValidTexts(changed);
  return writeOtherUpdates(tx, context, caller, writeIssue(tx, context, caller, issue, changed), updates);
}

/** Carries out what `withUpdates` leaves: epics, time, subscriptions, reactions, duplicates, promotions and moves. */
export function writeOtherUpdates(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  updates: QuickActionUpdates,
): IssueRecord {
  const { store } = context;
  const { epic_id, spend_time, subscription_event, emoji_award, canonical_issue_id, target_project_id } = updates;
  let after = issue;
  if (epic_id !== undefined) after = writeIssue(tx, context, caller, after, { ...after, epic_id });
  if (spend_time?.duration === "reset") {
    after = writeIssue(tx, context, caller, after, { ...after, total_time_spent: 0 });
  } else if (spend_time !== undefined) {
    const day = spend_time.spent_at ?? toCalendarDate(context.clock.now());
    const spent = { seconds: spend_time.duration, day };
    after = writeIssue(tx, context, caller, after, withSpentTime(after, spent.seconds), { spent });
  }
  if (subscription_event !== undefined) {
    upsertSubscription(tx, store, issueRef(after), caller.user.id, subscription_event === "subscribe");
  }
  if (emoji_award !== undefined) {
    publish(tx, context, awardToggleRequested, { caller, subject: issueRef(after), name: emoji_award });
    after = store.of(issues).get(after.id) ?? after;
  }
  if (canonical_issue_id !== undefined) after = writeDuplicate(tx, context, caller, after, canonical_issue_id);
  if (updates.promote_to_epic) publish(tx, context, issuePromotionRequested, { caller, issue: after });
  if (target_project_id !== undefined) {
    writeMove(tx, context, caller, getProject(context, caller, target_project_id), after);
  }
  return store.of(issues).get(after.id) ?? after;
}

function writeDuplicate(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  originalId: number,
): IssueRecord {
  const original = context.store.of(issues).get(originalId);
  if (original === undefined) return issue;
  const closing = stateAfter(context, caller, issue, "close");
  const changed = { ...issue, ...closing, duplicated_to_id: original.id };
  const duplicate = writeIssue(tx, context, caller, issue, changed);
  publish(tx, context, issueMarkedAsDuplicate, { caller, duplicate, original });
  return duplicate;
}
