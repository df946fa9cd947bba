import { defineModule } from "../../kernel/module.ts";
import { noteOperations } from "./operations.ts";

export { getNote, readsInternalNotes } from "./find.ts";
export { noteUserRemoval } from "./user-removal.ts";

export const notesModule = defineModule({
  name: "notes",
  tag: "Notes",
  operations: noteOperations,
});
