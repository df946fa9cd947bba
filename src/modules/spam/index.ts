export { type Clearance, checkSpam, removeSpamLogsOf, type Submission } from "./check.ts";
export { type SpamLogRecord, spamLogs } from "./collection.ts";
