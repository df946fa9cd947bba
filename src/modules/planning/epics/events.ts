import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import type { IssueRecord } from "../issues/records.ts";
import { type EpicRecord, epics } from "./records.ts";

export const epicEvents = recordEvents<EpicRecord, SignedInCaller>("epic", epics);

/** An issue, closed now, and the epic that was made of it. */
export interface PromotedIssue {
  readonly caller: SignedInCaller;
  readonly epic: EpicRecord;
  readonly issue: IssueRecord;
}

export const issuePromoted = domainEvent<PromotedIssue>("issue-promoted");
