import { defineModule } from "../../kernel/module.ts";
import { userPreferences } from "./records.ts";
import { userPreferencesOperations } from "./operations.ts";

export { userPreferences } from "./records.ts";
export { removePreferencesOf } from "./service.ts";

export const preferencesModule = defineModule({
  name: "preferences",
  tag: "Users",
  operations: userPreferencesOperations,
  collections: [userPreferences],
});
