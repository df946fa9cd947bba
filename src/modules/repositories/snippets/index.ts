import { defineModule } from "../../kernel/module.ts";
import { snippetOperations } from "./operations.ts";
import { snippets } from "./records.ts";
import { snippetRemoval, snippetUserRemoval } from "./removal.ts";

export { commitFiles } from "./files.ts";
export { presentBasicSnippet } from "./present.ts";
export { type SnippetRecord, snippets } from "./records.ts";
export { canReadSnippet } from "./rights.ts";
export { BasicSnippet } from "./schema.ts";

export const snippetsModule = defineModule({
  name: "snippets",
  tag: "Snippets",
  operations: snippetOperations,
  collections: [snippets],
  on: [snippetRemoval, snippetUserRemoval],
});
