import { defineModule } from "../../kernel/module.ts";

export const ownAccountModule = defineModule({
  name: "own-account",
  tag: "Own account",
  about: { "Own account": "What users change about themselves in the console." },
  areas: ["-/account"],
  operations: async () => (await import("./operations.ts")).ownAccountOperations,
  samples: async () => (await import("./samples.ts")).ownAccountSamples,
});
