import { defineModule } from "../../kernel/module.ts";

export const metadataModule = defineModule({
  name: "metadata",
  tag: "Version",
  about: { Version: "The version of the API." },
  areas: ["metadata", "version"],
  operations: async () => (await import("./operations.ts")).metadataOperations,
});
