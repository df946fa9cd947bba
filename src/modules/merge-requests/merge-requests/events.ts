import type { SignedInCaller } from "../../../domain/caller.ts";
import { type RecordCreated, type RecordUpdated, recordEvents } from "../../kernel/record-events.ts";
import type { SpentTime } from "../../planning/time-tracking/index.ts";
import { type MergeRequestRecord, mergeRequests } from "./records.ts";

/** The commits that a push has added to the source branch, oldest first. */
export interface PushedCommits {
  readonly commits: readonly { readonly oid: string; readonly title: string }[];
}

export interface MergeRequestDetails {
  readonly spent?: SpentTime | undefined;
  readonly pushed?: PushedCommits | undefined;
}

export const mergeRequestEvents = recordEvents<MergeRequestRecord, SignedInCaller, MergeRequestDetails>(
  "merge-request",
  mergeRequests,
);

export type MergeRequestSaved = (
  | RecordCreated<MergeRequestRecord, SignedInCaller>
  | RecordUpdated<MergeRequestRecord, SignedInCaller>
) &
  MergeRequestDetails;
