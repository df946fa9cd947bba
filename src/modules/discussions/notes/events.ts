import type { SignedInCaller } from "../../../domain/caller.ts";
import { type RecordCreated, type RecordUpdated, recordEvents } from "../../kernel/record-events.ts";
import { type NoteRecord, notes } from "./records.ts";

/** Events about the notes of users; system notes and copies have none. */
export const noteEvents = recordEvents<NoteRecord, SignedInCaller>("note", notes);

export type NoteSaved = RecordCreated<NoteRecord, SignedInCaller> | RecordUpdated<NoteRecord, SignedInCaller>;
