import type { SignedInCaller } from "../../../domain/caller.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { domainEvent, publish } from "../../kernel/event.ts";
import type { IssueRecord } from "./records.ts";

/** The kinds of changes that mails report (issues-labels-milestones-epics 1.4, "Side effects"). */
export type IssueEvent = "new_issue" | "close_issue" | "reopen_issue" | "reassign_issue";

/** An issue that was made (`before` is undefined) or changed. */
interface Change {
  readonly before: IssueRecord | undefined;
  readonly after: IssueRecord;
}

export interface IssueChange extends Change {
  readonly caller: SignedInCaller;
  readonly event: IssueEvent;
}

/** Published once for each kind of change. */
export const issueChanged = domainEvent<IssueChange>("issue-changed");

/** Time that a change adds to an issue or takes from it. */
export interface SpentTime {
  /** Negative: it is taken away. */
  readonly seconds: number;
  /** The day on which it was spent. */
  readonly day: CalendarDate;
}

export interface IssueSave extends Change {
  readonly caller: SignedInCaller;
  readonly spent?: SpentTime | undefined;
}

/** Published once for each issue that is created, and for each change of one. */
export const issueSaved = domainEvent<IssueSave>("issue-saved");

/** The issue that stayed behind, closed, and its successor. */
export interface IssueMove {
  readonly caller: SignedInCaller;
  readonly from: IssueRecord;
  readonly to: IssueRecord;
}

export const issueMoved = domainEvent<IssueMove>("issue-moved");

/** An issue that was closed because another one says the same. */
export interface IssueDuplicate {
  readonly caller: SignedInCaller;
  readonly duplicate: IssueRecord;
  readonly original: IssueRecord;
}

export const issueMarkedAsDuplicate = domainEvent<IssueDuplicate>("issue-marked-as-duplicate");

/** An issue of a group's project of which an epic is to be made. */
export interface IssuePromotion {
  readonly caller: SignedInCaller;
  readonly issue: IssueRecord;
}

/** `/promote` in a text. */
export const issuePromotionRequested = domainEvent<IssuePromotion>("issue-promotion-requested");

/** Publishes what happened to an issue; part of each change. */
export function emitIssueEvents(tx: Transaction, context: Context, { caller, before, after, spent }: IssueSave): void {
  const change = { before, after };
  publish(tx, context, issueSaved, { caller, ...change, spent });
  for (const event of eventsOf(change)) publish(tx, context, issueChanged, { ...change, caller, event });
}

export function eventsOf({ before, after }: Change): IssueEvent[] {
  if (before === undefined) return ["new_issue"];
  const events: IssueEvent[] = [];
  if (before.state !== after.state) events.push(after.state === "closed" ? "close_issue" : "reopen_issue");
  if (before.assignee_ids.join() !== after.assignee_ids.join()) events.push("reassign_issue");
  return events;
}
