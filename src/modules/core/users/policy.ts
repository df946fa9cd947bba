import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import type { Context } from "../../kernel/context.ts";
import type { UserRecord } from "./records.ts";

/** Administrators, and auditors where the edition has them, see users whole. */
export function canReadAsAdministrator(context: Context, { user }: Caller): boolean {
  return user?.is_admin === true || (user?.is_auditor === true && includesTier(context.edition, "premium"));
}

export function isBlocked({ state }: UserRecord): boolean {
  return state !== "active" && state !== "deactivated";
}

/** A private profile, and that of a blocked user, is open to its owner and to those who see users whole. */
export function canSeeProfile(context: Context, caller: Caller, user: UserRecord): boolean {
  return (
    (!user.private_profile && !isBlocked(user)) ||
    caller.user?.id === user.id ||
    canReadAsAdministrator(context, caller)
  );
}
