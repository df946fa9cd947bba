import { defineModule } from "../../kernel/module.ts";
import { noteCreated } from "./events.ts";
import { noteOperations } from "./operations.ts";
import { noteUserRemoval } from "./user-removal.ts";

export { type NoteCreated, noteCreated } from "./events.ts";
export { getNote } from "./service-find.ts";

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  operations: noteOperations,
  events: [noteCreated],
  on: [noteUserRemoval],
});
