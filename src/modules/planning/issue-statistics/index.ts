import { defineModule } from "../../kernel/module.ts";

export { countIssues } from "./service.ts";

export const issueStatisticsModule = defineModule({
  name: "issue-statistics",
  tag: "Issue statistics",
  about: { "Issue statistics": "Numbers of open and closed issues." },
  areas: ["groups", "issues_statistics", "projects"],
  operations: async () => (await import("./operations.ts")).issueStatisticsOperations,
});
