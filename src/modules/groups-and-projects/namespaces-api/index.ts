import { defineModule } from "../../kernel/module.ts";
import { formerPaths, namespaces } from "./records.ts";

export const namespacesApiModule = defineModule({
  name: "namespaces-api",
  tag: "Namespaces",
  about: { Namespaces: "The paths of users and groups, below which projects are." },
  areas: ["namespaces"],
  operations: async () => (await import("./operations.ts")).namespaceOperations,
  samples: async () => (await import("./samples.ts")).namespaceSamples,
  collections: [formerPaths, namespaces],
});
