import { defineModule } from "../../kernel/module.ts";
import { awardUserRemoval } from "./user-removal.ts";

export const awardEmojiModule = defineModule({
  name: "award-emoji",
  tag: "Award emoji",
  areas: ["projects"],
  operations: async () => (await import("./operations.ts")).awardOperations,
  on: [awardUserRemoval],
});
