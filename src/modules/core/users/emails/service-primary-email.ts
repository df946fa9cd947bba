import type { DateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import type { UserRecord } from "../records.ts";
import { type EmailRecord, emails } from "./records.ts";
import { nextEmailId, primaryEmailId, secondaryAddresses, verifiedAddresses } from "./service-addresses.ts";

/** The effect of a change on a user's primary address (users-and-auth 8). */
export type EmailChange =
  /** It waits until it is confirmed. */
  | { readonly kind: "pending"; readonly email: string }
  /** It becomes the primary one at once; `secondary` when the user had it before. */
  | { readonly kind: "primary"; readonly email: string; readonly secondary: EmailRecord | undefined };

interface PlannedEmail {
  /** The address that was asked for, else the one there is. */
  readonly wanted: string;
  readonly change: EmailChange | undefined;
  /** Confirmed addresses after the change, in small letters. */
  readonly verified: ReadonlySet<string>;
}

/** Returns the change of the primary address, to a confirmed address of the user or to one sent as confirmed. */
export function emailChangeOf(
  store: Store,
  user: UserRecord,
  given: { email?: string; skip_reconfirmation?: boolean },
): PlannedEmail {
  const wanted = given.email?.trim().toLowerCase() ?? user.email;
  const verified = verifiedAddresses(store, user);
  if (wanted === user.email.toLowerCase()) return { wanted: user.email, change: undefined, verified };
  const secondary = secondaryAddresses(store, user.id).find((each) => each.email === wanted);
  const isConfirmed = given.skip_reconfirmation === true || (secondary?.confirmed_at ?? null) !== null;
  if (!isConfirmed) return { wanted, change: { kind: "pending", email: wanted }, verified };
  return { wanted, change: { kind: "primary", email: wanted, secondary }, verified: verified.add(wanted) };
}

/** The user with the change; the old primary address stays as a secondary one, each with the id that it had. */
export function updatePrimaryEmail(tx: Transaction, user: UserRecord, change: EmailChange, now: DateTime): UserRecord {
  if (change.kind === "pending") return { ...user, unconfirmed_email: change.email };
  const { email, secondary } = change;
  if (secondary !== undefined) tx.remove(emails, secondary.id);
  tx.insert(emails, {
    id: primaryEmailId(user),
    user_id: user.id,
    email: user.email,
    confirmed_at: user.confirmed_at,
    created_at: user.created_at,
    updated_at: now,
  });
  const { unconfirmed_email: _, ...others } = user;
  return {
    ...others,
    email,
    confirmed_at: secondary?.confirmed_at ?? now,
    email_id: secondary?.id ?? nextEmailId(tx),
  };
}
