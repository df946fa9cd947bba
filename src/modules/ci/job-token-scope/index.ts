import { defineModule } from "../../kernel/module.ts";
import { jobTokenLinks } from "./records.ts";
import { jobTokenGroupRemoval, jobTokenProjectRemoval } from "./removal.ts";

export const jobTokenScopeModule = defineModule({
  name: "job-token-scope",
  tag: "Job token scope",
  about: { "Job token scope": "The projects and groups whose jobs may access a project." },
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).jobTokenScopeOperations,
  samples: async () => (await import("./samples.ts")).jobTokenScopeSamples,
  collections: [jobTokenLinks],
  on: [jobTokenProjectRemoval, jobTokenGroupRemoval],
});
