import { defineModule } from "../../kernel/module.ts";
import { jobTokenScopeOperations } from "./operations.ts";
import { jobTokenGroupRemoval, jobTokenProjectRemoval } from "./removal.ts";

export const jobTokenScopeModule = defineModule({
  name: "job-token-scope",
  tag: "Job token scope",
  operations: jobTokenScopeOperations,
  on: [jobTokenProjectRemoval, jobTokenGroupRemoval],
});
