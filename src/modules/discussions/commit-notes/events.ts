import type { SignedInCaller } from "../../../domain/caller.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type CommitNoteRecord, commitNotes } from "./records.ts";

export const commitNoteEvents = recordEvents<CommitNoteRecord, SignedInCaller>("commit-note", commitNotes);
