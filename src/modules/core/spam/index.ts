export { type Clearance, checkSpam, removeSpamLogsOf, type Submission } from "./check.ts";
export { spamLogs } from "./records.ts";
