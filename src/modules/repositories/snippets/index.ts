import { defineModule } from "../../kernel/module.ts";
import { snippetEvents } from "./events.ts";
import { snippets } from "./records.ts";
import { snippetRemoval, snippetUserRemoval } from "./service-removal.ts";

export { snippetEvents } from "./events.ts";
export { writeFiles } from "./files.ts";
export { canReadSnippet, canSeeSnippet } from "./policy.ts";
export { presentBasicSnippet } from "./present.ts";
export { BasicSnippet } from "./schema.ts";

export const snippetsModule = defineModule({
  name: "snippets",
  tag: "Snippets",
  about: { Snippets: "Small files that users share, of their own or in a project." },
  areas: ["projects", "snippets"],
  operations: async () => (await import("./operations.ts")).snippetOperations,
  samples: async () => (await import("./samples.ts")).snippetSamples,
  collections: [snippets],
  events: snippetEvents.all,
  on: [snippetRemoval, snippetUserRemoval],
});
