export { userPreferences } from "./collection.ts";
export { userPreferencesOperations } from "./operations.ts";
export { removePreferencesOf } from "./service.ts";
