import type { Caller } from "../../domain/caller.ts";
import { includesTier } from "../../domain/edition.ts";
import type { Context } from "../context.ts";

/** Administrators, and auditors where the edition has them, see users whole. */
export function readsAsAdministrator(context: Context, { user }: Caller): boolean {
  return user?.is_admin === true || (user?.is_auditor === true && includesTier(context.edition, "premium"));
}
