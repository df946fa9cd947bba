import { defineModule } from "../../kernel/module.ts";

export const groupProjectsModule = defineModule({
  name: "group-projects",
  tag: "Groups",
  areas: ["groups"],
  operations: async () => (await import("./operations.ts")).groupProjectOperations,
  samples: async () => (await import("./samples.ts")).groupProjectSamples,
});
