import { defineModule } from "../../kernel/module.ts";
import { deletedWithUser } from "../../kernel/user-removed-hook.ts";
import { userStatusOperations } from "./operations.ts";
import { userStatuses } from "./records.ts";
import { removeStatusOf } from "./service.ts";

export { userStatuses } from "./records.ts";

export const userStatusModule = defineModule({
  name: "user-status",
  tag: "Users",
  operations: userStatusOperations,
  collections: [userStatuses],
  onUserDeleted: [deletedWithUser(removeStatusOf)],
});
