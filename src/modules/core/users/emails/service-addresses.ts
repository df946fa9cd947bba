import type { Store, Transaction } from "../../../../store/index.ts";
import { type UserRecord, users } from "../records.ts";
import { type EmailRecord, emails } from "./records.ts";

/** The user of an address, and the record if it is a secondary one. */
export interface AddressHolder {
  readonly userId: number;
  /** Left out for the primary address. */
  readonly secondary?: EmailRecord;
}

/** Finds the user with this primary or secondary address, confirmed or not; no two users have the same. */
export function findAddress(store: Store, address: string): AddressHolder | undefined {
  const wanted = address.toLowerCase();
  const userId = store.of(users).by.email.find(wanted);
  if (userId !== undefined) return { userId };
  const secondaries = store.of(emails);
  const secondary = secondaries.get(secondaries.by.email.find(wanted) ?? 0);
  return secondary === undefined ? undefined : { userId: secondary.user_id, secondary };
}

/** Everything but the primary address, oldest first. */
export function secondaryAddresses(store: Store, userId: number): EmailRecord[] {
  const secondaries = store.of(emails);
  return [...secondaries.by.user_id.find(userId)].sort((a, b) => a - b).map((id) => secondaries.get(id) as EmailRecord);
}

/** The addresses that the user may show, commit with or receive mail at: their own confirmed ones, in small letters. */
export function verifiedAddresses(store: Store, user: Pick<UserRecord, "id" | "email" | "confirmed_at">): Set<string> {
  const confirmed = secondaryAddresses(store, user.id).filter((each) => each.confirmed_at !== null);
  const all = [...(user.confirmed_at === null ? [] : [user]), ...confirmed];
  return new Set(all.map(({ email }) => email.toLowerCase()));
}

/**
 * Id of the primary address. No record has it: it is twice the id of the user, while secondary addresses have odd ids.
 * A secondary address that became the primary one brought its id along.
 */
export function primaryEmailId(user: Pick<UserRecord, "id" | "email_id">): number {
  return user.email_id ?? 2 * user.id;
}

/** Odd; see `primaryEmailId`. */
export function nextEmailId(tx: Transaction): number {
  return 2 * tx.nextId("emails") - 1;
}

export function removeAddresses(tx: Transaction, store: Store, userId: number): void {
  for (const { id } of secondaryAddresses(store, userId)) tx.remove(emails, id);
}
