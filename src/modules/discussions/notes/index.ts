export { getNote, readsInternalNotes } from "./find.ts";
export { noteOperations } from "./operations.ts";
export { noteUserRemoval } from "./user-removal.ts";
