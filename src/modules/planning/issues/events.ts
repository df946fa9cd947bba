import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import { type RecordCreated, type RecordUpdated, recordEvents } from "../../kernel/record-events.ts";
import type { SpentTime } from "../time-tracking/index.ts";
import { type IssueRecord, issues } from "./records.ts";

interface IssueDetails {
  readonly spent?: SpentTime | undefined;
  /** The issue of another project, closed now, that the new one is a copy of. */
  readonly movedFrom?: IssueRecord | undefined;
}

export const issueEvents = recordEvents<IssueRecord, SignedInCaller, IssueDetails>("issue", issues);

export type IssueSaved = (RecordCreated<IssueRecord, SignedInCaller> | RecordUpdated<IssueRecord, SignedInCaller>) &
  IssueDetails;

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

/** Whether the change closed an open issue. */
export function isClosing({ before, after }: IssueSaved): boolean {
  return before?.state === "opened" && after.state === "closed";
}
