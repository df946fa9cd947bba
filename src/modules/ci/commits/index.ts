import { defineModule } from "../../kernel/module.ts";

/** Commits with their pipelines: what pipelines are not needed for is in `repositories`. */
export const commitsModule = defineModule({
  name: "commits",
  tag: "Repositories",
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).commitOperations,
  samples: async () => (await import("./samples.ts")).commitSamples,
});
