export { issueStatisticsOperations } from "./operations.ts";
