import { defineModule } from "../../kernel/module.ts";
import { issueStatisticsOperations } from "./operations.ts";

export { countIssues } from "./service.ts";

export const issueStatisticsModule = defineModule({
  name: "issue-statistics",
  tag: "Issue statistics",
  operations: issueStatisticsOperations,
});
