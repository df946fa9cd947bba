import { defineModule } from "../../kernel/module.ts";

export const metadataModule = defineModule({
  name: "metadata",
  tag: "Version",
  areas: ["metadata", "version"],
  operations: async () => (await import("./operations.ts")).metadataOperations,
});
