import { defineModule } from "../../kernel/module.ts";
import { avatarOperations } from "./avatar/avatar-operations.ts";
import { userCustomAttributeOperations } from "./custom-attributes.ts";
import { emailOperations } from "./emails/operations.ts";
import { emails } from "./emails/records.ts";
import { followOperations } from "./follow-operations.ts";
import { activityOperations } from "./lists/activities.ts";
import { profileOperations } from "./operations.ts";
import { users } from "./records.ts";
import { stateOperations } from "./states/state-operations.ts";

export { userDefaults } from "./attributes/defaults.ts";
export { hasSamlUsers, samlIdentityOf } from "./attributes/single-sign-on.ts";
export { recordUserEvent } from "./audit.ts";
export { createRootUser, createUser, insertUser } from "./create.ts";
export { verifiedAddresses } from "./emails/addresses.ts";
export { emails } from "./emails/records.ts";
export { internalUser } from "./internal-user.ts";
export { accountsWithin, findUserByLogin, findUserByUsername } from "./lists/list.ts";
export { commitEmail, presentBasicUser } from "./present.ts";
export { isInternal, type UserRecord, type UserState, userStates, users } from "./records.ts";
export { BasicUser } from "./schema.ts";
export { findUser, getUser, noteActivity, noteSignIn, setPasswordDigest } from "./service.ts";
export { LastAdministrator } from "./states/administrators.ts";
export { refuseState } from "./states/refusals.ts";
export { activateUser, banUser, blockUser, deactivateUser, unbanUser, unblockUser } from "./states/states.ts";
export { modifyUser } from "./update.ts";

export const usersModule = defineModule({
  name: "users",
  operations: {
    Users: [...profileOperations, ...stateOperations, ...emailOperations, ...avatarOperations, ...followOperations],
    "Custom attributes": userCustomAttributeOperations,
  },
  collections: [users, emails],
});

/** A part of its own, because the API reference has it after the status and the preferences of users. */
export const userActivitiesModule = defineModule({
  name: "user-activities",
  tag: "Users",
  operations: activityOperations,
});
