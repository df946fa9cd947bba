import { defineModule } from "../../kernel/module.ts";
import { spamLogs } from "./records.ts";

export { type Clearance, checkSpam, removeSpamLogsOf, type Submission } from "./check.ts";
export { spamLogs } from "./records.ts";

export const spamModule = defineModule({
  name: "spam",
  collections: [spamLogs],
});
