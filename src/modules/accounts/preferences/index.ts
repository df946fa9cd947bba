export { userPreferencesOperations } from "./operations.ts";
export { userPreferences } from "./records.ts";
export { removePreferencesOf } from "./service.ts";
