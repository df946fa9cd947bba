import type { SignedInCaller } from "../../../domain/caller.ts";
import { type RecordCreated, type RecordUpdated, recordEvents } from "../../kernel/record-events.ts";
import { type MergeRequestRecord, mergeRequests } from "./records.ts";

export const mergeRequestEvents = recordEvents<MergeRequestRecord, SignedInCaller>("merge-request", mergeRequests);

export type MergeRequestSaved =
  | RecordCreated<MergeRequestRecord, SignedInCaller>
  | RecordUpdated<MergeRequestRecord, SignedInCaller>;
