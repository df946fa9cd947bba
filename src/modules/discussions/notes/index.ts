import { defineModule } from "../../kernel/module.ts";
import { noteCreated, noteUpdated } from "./events.ts";
import { notes } from "./records.ts";
import { noteUserRemoval } from "./user-removal.ts";

export { type NoteWritten, noteCreated, noteUpdated } from "./events.ts";
export { getNote } from "./service-find.ts";

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  about: { Notes: "Comments on issues." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).noteOperations,
  samples: async () => (await import("./samples.ts")).noteSamples,
  collections: [notes],
  events: [noteCreated, noteUpdated],
  on: [noteUserRemoval],
});
