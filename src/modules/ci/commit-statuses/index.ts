import { defineModule } from "../../kernel/module.ts";

/** Statuses that other systems give to commits. They are jobs of pipelines that no runner takes. */
export const commitStatusesModule = defineModule({
  name: "commit-statuses",
  tag: "Commit statuses",
  about: { "Commit statuses": "Jobs of the pipelines of a commit, and what other systems say of it." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).commitStatusOperations,
  samples: async () => (await import("./samples.ts")).commitStatusSamples,
});
