/** Audit events of sign-ins. */

import type { Caller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { findUserByLogin, recordUserEvent } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";

/** The credential of a sign-in. */
export type SignInWay = "password" | "access token" | "sign-in code";

/** Records that a user signed in, with the user as the author. */
export function recordSignInEvent(
  tx: Transaction,
  context: Context,
  caller: Caller,
  { user, way }: { readonly user: UserRecord; readonly way: SignInWay },
): void {
  const event = `authenticated_with_${way.replaceAll(/[ -]/g, "_")}`;
  recordUserEvent(tx, context, { ...caller, user }, user, event, { custom_message: `Signed in with ${way}` });
}

/** Records that a password did not fit: about the user whom the login names, else about the instance. */
export function recordFailedSignIn(context: Context, caller: Caller, login: string): void {
  const act = { failed_login: "STANDARD", custom_message: "Failed to login with STANDARD authentication" };
  const event = "login_failed_with_standard_authentication";
  const user = findUserByLogin(context.store, login);
  context.store.transact((tx) => {
    if (user !== undefined) return recordUserEvent(tx, context, { ...caller, user }, user, event, act);
    const entity = { type: "Service::Audit::InstanceScope", id: 1, path: "service_instance" } as const;
    const target = { type: "UnauthenticatedAuthor", id: -1, details: login };
    recordAuditEvent(tx, context, caller, { event, entity, target, act });
  });
}
