import { defineModule } from "../../kernel/module.ts";
import { auditRetention } from "./retention.ts";

export const auditRetentionModule = defineModule({
  name: "audit-retention",
  cron: [auditRetention],
});
