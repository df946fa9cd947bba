import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import type { IssueRecord, NoteRecord } from "../../planning/records/index.ts";

/** A comment on an issue. */
export interface NoteCreated {
  readonly caller: SignedInCaller;
  readonly note: NoteRecord;
  /** With the note in its count. */
  readonly issue: IssueRecord;
}

export const noteCreated = domainEvent<NoteCreated>("note-created");
