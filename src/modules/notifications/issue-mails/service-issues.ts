import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { findUser } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type IssueSaved, participantsOf } from "../../planning/issues/index.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { findSubscription, subscribersTo } from "../../planning/subscriptions/index.ts";
import { type Message, type NotificationEvent, notify, type Occurrence } from "../settings/index.ts";
import { addressOfIssue, excerptOf, nameOf, subjectOf, textOf } from "./mail-text.ts";
import { mentionedIn } from "./mentions.ts";

/** Mails about an issue that was made, closed, opened again, or given to others (notification-settings 5). */
export function mailIssue(tx: Transaction, context: Context, change: IssueSaved): void {
  for (const event of mailEventsOf(change)) mailIssueEvent(tx, context, change, event);
}

/** The kinds of changes that mails report (issues-labels-milestones-epics 1.4, "Side effects"). */
type IssueEvent = "new_issue" | "close_issue" | "reopen_issue" | "reassign_issue";

/** A move is reported as the closing of the old issue. */
export function mailEventsOf(change: Omit<IssueSaved, "caller">): IssueEvent[] {
  const { before, after, movedFrom } = change;
  if (before === undefined) return movedFrom === undefined ? ["new_issue"] : [];
  const events: IssueEvent[] = [];
  if (before.state !== after.state) events.push(after.state === "closed" ? "close_issue" : "reopen_issue");
  if (before.assignee_ids.join() !== after.assignee_ids.join()) events.push("reassign_issue");
  return events;
}

function mailIssueEvent(tx: Transaction, context: Context, change: IssueSaved, event: IssueEvent): void {
  const { caller, before, after: issue } = change;
  const common = aboutIssue(context, issue, event, caller);
  if (common === undefined) return;
  const named = mentionedIn(context.store, issue.title, issue.description);
  const isNew = event === "new_issue";
  notify(tx, context, {
    ...common,
    participants: [...common.participants, ...(before?.assignee_ids ?? []), ...(isNew ? [] : named)],
    mentioned: isNew ? named : [],
    text: textOf(
      whatHappened(context, change, event),
      isNew ? excerptOf(issue.description) : null,
      addressOfIssue(context, common.project, issue),
    ),
  });
}

/** Mails that an open issue is due the next day. No user caused that, so no recipient is left out. */
export function mailDueIssue(tx: Transaction, context: Context, issue: IssueRecord): void {
  const common = aboutIssue(context, issue, "issue_due", undefined);
  if (common === undefined) return;
  notify(tx, context, {
    ...common,
    participants: [...common.participants, ...mentionedIn(context.store, issue.title, issue.description)],
    mentioned: [],
    text: textOf(
      `The issue ${issue.title} is due on ${issue.due_date}.`,
      addressOfIssue(context, common.project, issue),
    ),
  });
}

type ProjectOccurrence = Extract<Occurrence, { readonly project: ProjectRecord }>;

/** The common parts of all mails about an issue; undefined once its project is deleted. */
function aboutIssue(
  context: Context,
  issue: IssueRecord,
  event: NotificationEvent,
  caller: SignedInCaller | undefined,
): (Omit<ProjectOccurrence, "mentioned"> & Omit<Message, "text">) | undefined {
  const { store } = context;
  const readableIssues = context.get(ReadableIssues);
  const project = store.of(projects).get(issue.project_id);
  if (project === undefined) return undefined;
  const ref = { type: "Issue", id: issue.id } as const;
  return {
    event,
    project,
    actor: caller?.user.id,
    participants: [...participantsOf(store, issue), ...subscribersTo(store, ref)],
    mayRead: (user) => findSubscription(store, ref, user.id) !== false && readableIssues.has(user, issue),
    topic: ref,
    subject: subjectOf(project, issue, `#${issue.iid}`),
  };
}

function whatHappened({ store }: Context, { caller, before, after }: IssueSaved, event: IssueEvent): string {
  const name = nameOf(caller);
  switch (event) {
    case "new_issue":
      return textOf(`${name} created an issue.`, assignedTo(store, after)).trimEnd();
    case "close_issue":
      return `${name} closed the issue.`;
    case "reopen_issue":
      return `${name} reopened the issue.`;
    case "reassign_issue":
      return `${name} changed the assignees from ${namesOf(store, before)} to ${namesOf(store, after)}.`;
  }
}

function assignedTo(store: Store, issue: IssueRecord): string | undefined {
  return issue.assignee_ids.length === 0 ? undefined : `Assigned to ${namesOf(store, issue)}.`;
}

function namesOf(store: Store, issue: IssueRecord | undefined): string {
  const names = (issue?.assignee_ids ?? []).map((id) => findUser(store, id)?.name).filter((name) => name !== undefined);
  return names.length === 0 ? "nobody" : names.join(", ");
}
