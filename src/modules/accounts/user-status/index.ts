import { defineModule } from "../../kernel/module.ts";
import { userStatuses } from "./records.ts";
import { userStatusOperations } from "./operations.ts";

export { userStatuses } from "./records.ts";
export { removeStatusOf } from "./service.ts";

export const userStatusModule = defineModule({
  name: "user-status",
  tag: "Users",
  operations: userStatusOperations,
  collections: [userStatuses],
});
