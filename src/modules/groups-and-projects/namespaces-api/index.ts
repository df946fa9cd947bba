import { defineModule } from "../../kernel/module.ts";
import { formerPaths, namespaces } from "./records.ts";

export const namespacesApiModule = defineModule({
  name: "namespaces-api",
  tag: "Namespaces",
  areas: ["namespaces"],
  operations: async () => (await import("./operations.ts")).namespaceOperations,
  samples: async () => (await import("./samples.ts")).namespaceSamples,
  collections: [formerPaths, namespaces],
});
