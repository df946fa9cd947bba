import { defineModule } from "../../kernel/module.ts";
import { deletedWithUser } from "../users/index.ts";
import { spamLogs } from "./records.ts";

export { type Clearance, getSpamClearance, isSpamChecked, type Submission } from "./service.ts";

export const spamModule = defineModule({
  name: "spam",
  collections: [spamLogs],
  on: [deletedWithUser(spamLogs)],
});
