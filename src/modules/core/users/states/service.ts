import type { Caller, SignedInCaller } from "../../../../domain/caller.ts";
import { conflict, forbidden, forbiddenWith } from "../../../../domain/failure.ts";
import { dayMs, toCalendarDate, toDateTime, toReadableTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { upsertCustomAttribute } from "../../custom-attributes/index.ts";
import { recordUserEvent } from "../audit.ts";
import { deleteUserInSteps } from "../deletion/service-delete.ts";
import { userEvents } from "../events.ts";
import { isBlocked } from "../policy.ts";
import { isInternal, type UserRecord, type UserState, users } from "../records.ts";
import { getUser, withSessionsEnded } from "../service.ts";
import { mailApproval, mailDeactivation, mailRejection } from "../service-mails.ts";
import { requireRemainingAdministrator } from "./policy.ts";

/** users-and-auth 10. Each throws 404 for an unknown user and 403 or 409 in the page's words. */
type ChangeState = (context: Context, caller: Caller, id: number) => boolean | null;

/** A user who was active within this time cannot be deactivated. */
const dormantDays = 90;

/** null when the user is blocked already, in whatever way. */
export const blockUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (user.id === caller.user?.id) throw forbidden("The API initiating user cannot be blocked by the API");
  if (user.state === "ldap_blocked") throw forbidden("LDAP blocked users cannot be modified by the API");
  if (isInternal(user)) throw forbiddenWith("An internal user cannot be blocked");
  if (isBlocked(user)) return null;
  return moveTo(context, caller, user, { state: "blocked", event: "user_blocked", message: "Blocked user" }, (tx) =>
    recordStateChange(tx, context, caller, user, "blocked_by"),
  );
};

/** false when there is nothing to lift. */
export const unblockUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (user.state === "ldap_blocked") throw forbidden("LDAP blocked users cannot be unblocked by the API");
  if (user.state === "deactivated") throw forbidden("Deactivated users cannot be unblocked by the API");
  if (user.state === "active") return false;
  return moveTo(context, caller, user, { state: "active", event: "unblock_user", message: "Unblocked user" }, (tx) =>
    recordStateChange(tx, context, caller, user, "unblocked_by"),
  );
};

/** null when the user is deactivated already. */
export const deactivateUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (isBlocked(user)) throw forbiddenWith("Error occurred. A blocked user cannot be deactivated");
  if (user.state === "deactivated") return null;
  if (isInternal(user)) throw forbiddenWith("Internal users cannot be deactivated");
  const oldestActivity = toCalendarDate(context.clock.now() - dormantDays * dayMs);
  if (user.last_activity_on !== null && user.last_activity_on > oldestActivity) {
    throw forbiddenWith(
      "The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated",
    );
  }
  return moveTo(
    context,
    caller,
    user,
    { state: "deactivated", event: "user_deactivate", message: "Deactivated user" },
    (tx) => mailDeactivation(tx, context, user),
  );
};

export const activateUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (isBlocked(user)) throw forbiddenWith("Error occurred. A blocked user must be unblocked to be activated");
  if (user.state === "active") return true;
  return moveTo(context, caller, user, { state: "active", event: "user_activate", message: "Activated user" });
};

export const banUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (isInternal(user)) throw forbiddenWith("You cannot ban internal users.");
  if (user.state !== "active") throw forbiddenWith(`You cannot ban ${user.state} users.`);
  return moveTo(context, caller, user, { state: "banned", event: "ban_user", message: "Banned user" });
};

export const unbanUser: ChangeState = (context, caller, id) => {
  const user = getUser(context.store, id);
  if (user.state !== "banned") throw forbiddenWith(`You cannot unban ${user.state} users.`);
  return moveTo(context, caller, user, { state: "active", event: "unban_user", message: "Unbanned user" });
};

/** Throws 409 for a user who is not pending. */
export function approveUser(context: Context, caller: SignedInCaller, id: number): void {
  const user = getUser(context.store, id);
  if (user.state !== "blocked_pending_approval") {
    throw conflict("The user you are trying to approve is not pending approval");
  }
  moveTo(context, caller, user, { state: "active", event: "user_approved", message: "Approved user" }, (tx) =>
    mailApproval(tx, context, user),
  );
}

/** Deletes the user with everything. Throws 409 for a user who is not pending. */
export function rejectUser(context: Context, caller: SignedInCaller, id: number): Promise<void> {
  const user = getUser(context.store, id);
  if (user.state !== "blocked_pending_approval") throw conflict("User does not have a pending request");
  return deleteUserInSteps(context, caller, id, {
    isHard: true,
    check: () => {},
    end(tx) {
      recordUserEvent(tx, context, caller, user, "user_rejected", { custom_message: "Rejected user" });
      mailRejection(tx, context, user);
    },
  });
}

function moveTo(
  context: Context,
  caller: Caller,
  user: UserRecord,
  { state, event, message }: { readonly state: UserState; readonly event: string; readonly message: string },
  also: (tx: Transaction) => void = () => {},
): true {
  context.store.transact((tx) => {
    const ended = state === "active" ? user : withSessionsEnded(user);
    const changed = { ...ended, state, updated_at: toDateTime(context.clock.now()) };
    requireRemainingAdministrator(context.store, user, changed);
    const after = tx.update(users, changed);
    recordUserEvent(tx, context, caller, user, event, { custom_message: message });
    publish(tx, context, userEvents.updated, { caller, before: user, after });
    also(tx);
  });
  return true;
}

/** `<username>/<id>+<time>` of the administrator, where administrators can read it; nothing for callers without an account. */
function recordStateChange(
  tx: Transaction,
  context: Context,
  { user: administrator }: Caller,
  user: UserRecord,
  key: "blocked_by" | "unblocked_by",
): void {
  if (administrator === undefined) return;
  const { username, id } = administrator;
  const value = `${username}/${id}+${toReadableTime(context.clock.now())}`;
  upsertCustomAttribute(tx, context, { resource: "User", id: user.id }, key, value);
}
