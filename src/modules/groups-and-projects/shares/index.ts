import { defineModule } from "../../kernel/module.ts";
import { shareExpiry } from "./expiry.ts";
import { groupLinks } from "./records.ts";

export { insertLink } from "./service-links.ts";

export const sharesModule = defineModule({
  name: "shares",
  tag: "Shares",
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).shareOperations,
  samples: async () => (await import("./samples.ts")).shareSamples,
  collections: [groupLinks],
  cron: [shareExpiry],
});
