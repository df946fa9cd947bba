export { issueStatisticsOperations } from "./operations.ts";
export { countIssues } from "./service.ts";
