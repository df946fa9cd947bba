import type { SignedInCaller } from "../../../domain/caller.ts";
import { domainEvent } from "../../kernel/event.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";
import type { NoteRecord } from "./records.ts";

/** A comment on an issue that was created or changed. */
export interface NoteWritten {
  readonly caller: SignedInCaller;
  readonly note: NoteRecord;
  /** The issue, whose count includes the note. */
  readonly issue: IssueRecord;
}

export const noteCreated = domainEvent<NoteWritten>("note-created");
export const noteUpdated = domainEvent<NoteWritten>("note-updated");
