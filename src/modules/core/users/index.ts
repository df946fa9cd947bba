import { defineModule } from "../../kernel/module.ts";
import { WriteQuota } from "../../kernel/write-quota.ts";
import { userDeletionRequested, userRemovalStep } from "./deletion/events.ts";
import { ownRemoval } from "./deletion/own-removal.ts";
import { emails } from "./emails/records.ts";
import { ConfirmationRate } from "./emails/service.ts";
import { userEvents } from "./events.ts";
import { UserJsonCache } from "./present.ts";
import { users } from "./records.ts";

export { type ServicePlace, WriteQuota } from "../../kernel/write-quota.ts";
export { userDefaults } from "./attributes/defaults.ts";
export {
  getUserByResetToken,
  isPasswordExpired,
  offerPassword,
  requireGoodPassword,
  updateOwnPassword,
} from "./attributes/own-password.ts";
export { hasSamlUsers, samlIdentityOf } from "./attributes/single-sign-on.ts";
export { recordUserEvent } from "./audit.ts";
export {
  type DeletedUser,
  deletedWithUser,
  userDeletionRequested,
  userRemovalStep,
  writtenByUser,
} from "./deletion/events.ts";
export { emails } from "./emails/records.ts";
export { findAddress, verifiedAddresses } from "./emails/service-addresses.ts";
export { confirmAddress } from "./emails/service-confirmation.ts";
export { userEvents } from "./events.ts";
export { findUserByLogin, findUserByUsername } from "./lists/service-list.ts";
export { canSeeProfile } from "./policy.ts";
export { commitEmail, presentBasicUser, presentOwnUser, presentUser } from "./present.ts";
export { BasicUser, OwnUser, User, type UserWithAdmin } from "./schema.ts";
export { findUser, getUser, recordActivity, recordSignIn, servicePlaceOf, updatePasswordDigest } from "./service.ts";
export { insertRootUser, insertUser } from "./service-create.ts";
export { findOrInsertInternalUser } from "./service-internal-user.ts";
export { updateUser } from "./service-update.ts";
export { LastAdministrator } from "./states/policy.ts";
export { requireUsableState } from "./states/refusals.ts";

export const usersModule = defineModule({
  name: "users",
  about: {
    Users: "Accounts of people and bots, their profiles, states, emails and memberships.",
    "Custom attributes": "Names and values that administrators attach to users.",
  },
  areas: ["-/avatars", "uploads", "user", "users"],
  operations: async () => {
    const [
      { avatarOperations },
      { emailOperations },
      { profileOperations },
      { userCustomAttributeOperations },
      { followOperations },
      { stateOperations },
    ] = await Promise.all([
      import("./avatar/operations.ts"),
      import("./emails/operations.ts"),
      import("./operations.ts"),
      import("./operations-custom-attributes.ts"),
      import("./operations-follow.ts"),
      import("./states/operations.ts"),
    ]);
    return {
      Users: [...profileOperations, ...stateOperations, ...emailOperations, ...avatarOperations, ...followOperations],
      "Custom attributes": userCustomAttributeOperations,
    };
  },
  samples: async () => (await import("./samples.ts")).userSamples,
  services: [ConfirmationRate, UserJsonCache, WriteQuota],
  collections: [users, emails],
  events: [...userEvents.all, userDeletionRequested, userRemovalStep],
  on: [ownRemoval],
});

/** A part of its own, because the API reference has it after the status and the preferences of users. */
export const userActivitiesModule = defineModule({
  name: "user-activities",
  tag: "Users",
  areas: ["user"],
  operations: async () => (await import("./lists/operations-activities.ts")).activityOperations,
});
