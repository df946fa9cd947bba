import type { Caller } from "../../../../domain/caller.ts";
import { forbidden, invalid, notFound, requireUnmodified } from "../../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { userEvents } from "../events.ts";
import { getUser } from "../service.ts";

/** `DELETE /users/:id/identities/:provider` (users-and-auth 16). Throws 404 for the user and for the identity, 412. */
export function deleteIdentity(
  context: Context,
  caller: Caller,
  { id, provider }: { readonly id: number; readonly provider: string },
  unmodifiedSince: DateTime | undefined,
): void {
  const user = getUser(context.store, id);
  const identities = user.identities.filter((each) => each.provider !== provider);
  if (identities.length === user.identities.length) throw notFound("Identity");
  requireUnmodified(user, unmodifiedSince);
  const updated_at = toDateTime(context.clock.now());
  context.store.transact((tx) => updateRecord(tx, context, caller, userEvents, { ...user, identities, updated_at }));
}

/** `PATCH /users/:id/disable_two_factor` (users-and-auth 16). Throws 404, 403 for an administrator's, 400 when it is off. */
export function disableTwoFactor(context: Context, caller: Caller, id: number): void {
  const user = getUser(context.store, id);
  if (user.is_admin) {
    throw forbidden("Two-factor authentication for admins cannot be disabled via the API. Use the Rails console");
  }
  if (!user.two_factor_enabled) {
    throw invalid("400 Bad request - Two-factor authentication is not enabled for this user");
  }
  const updated_at = toDateTime(context.clock.now());
  const changed = { ...user, two_factor_enabled: false, updated_at };
  context.store.transact((tx) => updateRecord(tx, context, caller, userEvents, changed));
}
