import { defineModule } from "../../kernel/module.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Noteable } from "../noteables/index.ts";
import { noteEvents } from "./events.ts";
import { notes } from "./records.ts";
import { noteUserRemoval } from "./user-removal.ts";

export { type NoteSaved, noteEvents } from "./events.ts";
export { getNote } from "./service-find.ts";

/** Loads the operations on the notes of one type of things, for a module that has such things. */
export async function loadNoteOperations(noteable: Noteable): Promise<readonly Operation[]> {
  return (await import("./operations.ts")).operationsOnNotesOf(noteable);
}

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  about: { Notes: "Comments on issues, merge requests and snippets." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).noteOperations,
  samples: async () => (await import("./samples.ts")).noteSamples,
  collections: [notes],
  events: noteEvents.all,
  on: [noteUserRemoval],
});
