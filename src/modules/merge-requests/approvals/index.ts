import { defineModule } from "../../kernel/module.ts";

export const approvalsModule = defineModule({
  name: "approvals",
  tag: "Merge requests",
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).approvalOperations,
  samples: async () => (await import("./samples.ts")).approvalSamples,
});
