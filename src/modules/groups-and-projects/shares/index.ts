import { defineModule } from "../../kernel/module.ts";
import { shareExpiry } from "./expiry.ts";

export { insertLink } from "./service-links.ts";

export const sharesModule = defineModule({
  name: "shares",
  tag: "Shares",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).shareOperations,
  cron: [shareExpiry],
});
