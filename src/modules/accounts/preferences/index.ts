import { defineModule } from "../../kernel/module.ts";
import { deletedWithUser } from "../../kernel/user-removed-hook.ts";
import { userPreferencesOperations } from "./operations.ts";
import { userPreferences } from "./records.ts";
import { removePreferencesOf } from "./service.ts";

export { userPreferences } from "./records.ts";

export const preferencesModule = defineModule({
  name: "preferences",
  tag: "Users",
  operations: userPreferencesOperations,
  collections: [userPreferences],
  onUserDeleted: [deletedWithUser(removePreferencesOf)],
});
