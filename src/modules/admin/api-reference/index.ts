import { defineModule } from "../../kernel/module.ts";

export const apiReferenceModule = defineModule({
  name: "api-reference",
  tag: "API reference",
  about: { "API reference": "This description, and the page that shows it." },
  areas: ["-/api", "-/openapi"],
  operations: async () => (await import("./operations.ts")).referenceOperations,
  samples: async () => (await import("./samples.ts")).apiReferenceSamples,
});
