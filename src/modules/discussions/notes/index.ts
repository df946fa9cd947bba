import { defineModule } from "../../kernel/module.ts";
import { noteEvents } from "./events.ts";
import { notes } from "./records.ts";
import { noteUserRemoval } from "./user-removal.ts";

export { type NoteSaved, noteEvents } from "./events.ts";
export { getNote } from "./service-find.ts";

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  about: { Notes: "Comments on issues and snippets." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).noteOperations,
  samples: async () => (await import("./samples.ts")).noteSamples,
  collections: [notes],
  events: noteEvents.all,
  on: [noteUserRemoval],
});
