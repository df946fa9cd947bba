import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import type { Context } from "../../kernel/context.ts";
import type { UserRecord } from "./records.ts";

/** Administrators, and auditors where the edition has them, see users whole. */
export function canReadAsAdministrator(context: Context, { user }: Caller): boolean {
  return user?.is_admin === true || (user?.is_auditor === true && includesTier(context.edition, "premium"));
}

/** A private profile is open to its owner and to those who see users whole. */
export function canSeeProfile(context: Context, caller: Caller, user: UserRecord): boolean {
  return !user.private_profile || caller.user?.id === user.id || canReadAsAdministrator(context, caller);
}
