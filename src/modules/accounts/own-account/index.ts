import { defineModule } from "../../kernel/module.ts";

export const ownAccountModule = defineModule({
  name: "own-account",
  tag: "Own account",
  areas: ["-/account"],
  operations: async () => (await import("./operations.ts")).ownAccountOperations,
  samples: async () => (await import("./samples.ts")).ownAccountSamples,
});
