import { defineModule } from "../../kernel/module.ts";
import { userCountsOperations } from "./operations.ts";

export const userCountsModule = defineModule({
  name: "user-counts",
  tag: "Users",
  operations: userCountsOperations,
});
