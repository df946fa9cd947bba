import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { domainEvent, publish } from "../../kernel/event.ts";
import type { IssueRecord } from "../records/index.ts";

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

/** Publishes what happened to an issue; part of each change. */
export function emitIssueEvents(tx: Transaction, context: Context, caller: SignedInCaller, change: Change): void {
  for (const event of eventsOf(change)) publish(tx, context, issueChanged, { ...change, caller, event });
}

export function eventsOf({ before, after }: Change): IssueEvent[] {
  if (before === undefined) return ["new_issue"];
  const events: IssueEvent[] = [];
  if (before.state !== after.state) events.push(after.state === "closed" ? "close_issue" : "reopen_issue");
  if (before.assignee_ids.join() !== after.assignee_ids.join()) events.push("reassign_issue");
  return events;
}
