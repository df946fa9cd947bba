import { defineModule } from "../../kernel/module.ts";
import { entryOf } from "../../kernel/registry.ts";
import { noteableIssue } from "./issue.ts";
import { Noteables, noteables } from "./service.ts";
import { noteableSnippet } from "./snippet.ts";

export { noteableIssue } from "./issue.ts";
export { defineNoteable, type Noteable, type NoteTarget, type Thing } from "./noteable.ts";
export { findNoteTarget, getNoteTarget, type NoteableCall, Noteables, noteables, nounOf } from "./service.ts";
export { noteableSnippet } from "./snippet.ts";

export const noteablesModule = defineModule({
  name: "noteables",
  services: [Noteables],
  registries: [noteables],
  entries: [entryOf(noteables, noteableIssue), entryOf(noteables, noteableSnippet)],
});
