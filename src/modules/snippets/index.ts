export { type SnippetRecord, snippets } from "./collection.ts";
export { presentBasicSnippet } from "./present.ts";
export { BasicSnippet } from "./schema.ts";
