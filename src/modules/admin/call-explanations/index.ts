import { defineModule } from "../../kernel/module.ts";

export const callExplanationsModule = defineModule({
  name: "call-explanations",
  tag: "Monitoring",
  areas: ["-/explanation"],
  operations: async () => (await import("./operations.ts")).callExplanationOperations,
  samples: async () => (await import("./samples.ts")).callExplanationSamples,
});
