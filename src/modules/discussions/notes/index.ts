import { defineModule } from "../../kernel/module.ts";
import { noteOperations } from "./operations.ts";
import { noteUserRemoval } from "./user-removal.ts";

export { getNote, readsInternalNotes } from "./find.ts";

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  operations: noteOperations,
  on: [noteUserRemoval],
});
