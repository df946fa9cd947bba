import { defineModule } from "../../kernel/module.ts";
import { awardOperations } from "./operations.ts";
import { awardUserRemoval } from "./user-removal.ts";

export const awardEmojiModule = defineModule({
  name: "award-emoji",
  tag: "Award emoji",
  operations: awardOperations,
  on: [awardUserRemoval],
});
