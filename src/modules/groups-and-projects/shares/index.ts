import { defineModule } from "../../kernel/module.ts";
import { shareExpiry } from "./expiry.ts";
import { shareOperations } from "./operations.ts";

export { insertLink } from "./service-links.ts";

export const sharesModule = defineModule({
  name: "shares",
  tag: "Shares",
  operations: shareOperations,
  cron: [shareExpiry],
});
