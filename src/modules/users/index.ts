import { avatarOperations } from "./avatar-operations.ts";
import { emailOperations } from "./emails/operations.ts";
import { profileOperations } from "./operations.ts";
import { stateOperations } from "./state-operations.ts";

export { activityOperations } from "./activities.ts";
export { recordUserEvent } from "./audit.ts";
export { isInternal, type UserRecord, type UserState, userStates, users } from "./collection.ts";
export { createRootUser, createUser, insertUser } from "./create.ts";
export { userCustomAttributeOperations } from "./custom-attributes.ts";
export { userDefaults } from "./defaults.ts";
export { verifiedAddresses } from "./emails/addresses.ts";
export { type EmailRecord, emails } from "./emails/collection.ts";
export { followOperations } from "./follow-operations.ts";
export { internalUser } from "./internal-user.ts";
export { type AccountFilter, accountsWithin, findUserByUsername } from "./list.ts";
export { modifyUser } from "./modify.ts";
export { commitEmail, presentBasicUser } from "./present.ts";
export { BasicUser } from "./schema.ts";
export { findUser, getUser, noteActivity, setPasswordDigest } from "./service.ts";
export { hasSamlUsers, samlIdentityOf } from "./single-sign-on.ts";

export { activateUser, banUser, blockUser, deactivateUser, unbanUser, unblockUser } from "./states.ts";

export const userOperations = [...profileOperations, ...stateOperations, ...emailOperations, ...avatarOperations];
