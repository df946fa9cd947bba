import { defineModule } from "../../kernel/module.ts";
import { faultRules } from "./records.ts";

export { applyFaults } from "./service-match.ts";

export const sandboxFaultsModule = defineModule({
  name: "sandbox-faults",
  tag: "Sandbox",
  areas: ["-/sandbox"],
  operations: async () => (await import("./operations.ts")).faultOperations,
  samples: async () => (await import("./samples.ts")).faultSamples,
  collections: [faultRules],
});
