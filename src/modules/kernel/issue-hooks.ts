import type { SignedInCaller } from "../../domain/caller.ts";
import type { Transaction } from "../../store/index.ts";
import type { EpicRecord, IssueRecord, NoteRecord } from "../planning/records/index.ts";
import type { Context } from "./context.ts";

/** What people are told of (issues-labels-milestones-epics 1.4, "Side effects"). */
export type IssueEvent = "new_issue" | "close_issue" | "reopen_issue" | "reassign_issue";

/** An issue that was made (`before` is undefined) or changed. */
export interface IssueChange {
  readonly before: IssueRecord | undefined;
  readonly after: IssueRecord;
}

/** Told of each event in the transaction of the change. */
export type IssueListener = (
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  event: IssueEvent,
  change: IssueChange,
) => void;

/** Told of each new note (`new_note`) in its transaction. */
export type NoteListener = (
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  note: NoteRecord,
  issue: IssueRecord,
) => void;

/** Told of each new epic (`new_epic`) in its transaction. */
export type EpicListener = (tx: Transaction, context: Context, caller: SignedInCaller, epic: EpicRecord) => void;

export function eventsOf({ before, after }: IssueChange): IssueEvent[] {
  if (before === undefined) return ["new_issue"];
  const events: IssueEvent[] = [];
  if (before.state !== after.state) events.push(after.state === "closed" ? "close_issue" : "reopen_issue");
  if (before.assignee_ids.join() !== after.assignee_ids.join()) events.push("reassign_issue");
  return events;
}
