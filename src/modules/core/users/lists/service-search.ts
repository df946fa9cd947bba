import type { Condition, Store } from "../../../../store/index.ts";
import { findAddress } from "../emails/service-addresses.ts";
import { users } from "../records.ts";

/** The users that a search text finds (users-and-auth 5.1). */
export interface UserSearch {
  readonly condition: Condition<typeof users.indexes>;
  /** The users that come first: exact public e-mail address, exact username, exact name. */
  readonly exact: readonly number[];
}

/** The length below which a text must be the whole name or username: two letters are part of too many. */
const fuzzyLengthMin = 3;

/** undefined for a blank text, which is no filter. E-mail addresses match whole only; private ones for administrators. */
export function searchUsers(store: Store, given: string, isAdministrator: boolean): UserSearch | undefined {
  const wanted = given.trim().toLowerCase().replace(/^@/, "");
  if (wanted === "") return undefined;
  const { by } = store.of(users);
  const exact = [
    ...by.public_email.find(wanted),
    ...present(by.username.find(wanted)),
    ...by.name.between(wanted, wanted),
  ];
  const ids = new Set(isAdministrator ? [...exact, ...holderOf(store, wanted)] : exact);
  if (wanted.length < fuzzyLengthMin) return { condition: { ids }, exact };
  const contains = wanted.split(/\s+/);
  const isPartOf = (text: string) => ({ index: "words", contains, in: [text] }) as const;
  return { condition: { anyOf: [{ ids }, isPartOf("name"), isPartOf("username")] }, exact };
}

/** The user with this primary or confirmed secondary address, if there is one. */
function holderOf(store: Store, address: string): number[] {
  const holder = findAddress(store, address);
  return holder === undefined || holder.secondary?.confirmed_at === null ? [] : [holder.userId];
}

function present(id: number | undefined): number[] {
  return id === undefined ? [] : [id];
}
