import { defineModule } from "../../kernel/module.ts";
import { shareExpiry } from "./expiry.ts";
import { groupLinks } from "./records.ts";

export { insertLink } from "./service-links.ts";

export const sharesModule = defineModule({
  name: "shares",
  tag: "Shares",
  about: { Shares: "Groups that are invited to groups and projects." },
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).shareOperations,
  samples: async () => (await import("./samples.ts")).shareSamples,
  collections: [groupLinks],
  cron: [shareExpiry],
});
