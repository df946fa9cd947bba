export { commitFiles } from "./files.ts";
export { snippetOperations } from "./operations.ts";
export { presentBasicSnippet } from "./present.ts";
export { type SnippetRecord, snippets } from "./records.ts";
export { snippetRemoval, snippetUserRemoval } from "./removal.ts";
export { readsSnippet } from "./rights.ts";
export { BasicSnippet } from "./schema.ts";
