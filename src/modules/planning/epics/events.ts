import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import type { IssueRecord } from "../issues/records.ts";
import type { EpicRecord } from "./records.ts";

export interface EpicCreated {
  readonly caller: SignedInCaller;
  readonly epic: EpicRecord;
}

export const epicCreated = domainEvent<EpicCreated>("epic-created");

/** An issue, closed now, and the epic that was made of it. */
export interface PromotedIssue extends EpicCreated {
  readonly issue: IssueRecord;
}

export const issuePromoted = domainEvent<PromotedIssue>("issue-promoted");
