import { defineModule } from "../../kernel/module.ts";
import { faultOperations } from "./operations.ts";
import { faultRules } from "./records.ts";

export type { FaultEffect } from "./records.ts";
export { applyFaults } from "./service-match.ts";

export const sandboxFaultsModule = defineModule({
  name: "sandbox-faults",
  tag: "Sandbox",
  operations: faultOperations,
  collections: [faultRules],
});
