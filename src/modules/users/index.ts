export { activityOperations } from "./activities.ts";
export { type UserRecord, type UserState, users } from "./collection.ts";
export { userCustomAttributeOperations } from "./custom-attributes.ts";
export { followOperations } from "./follow-operations.ts";
export { findUserByUsername } from "./list.ts";
export { userOperations } from "./operations.ts";
export { createRootUser, findUser, getUser, noteActivity, setPasswordDigest, userDefaults } from "./service.ts";
