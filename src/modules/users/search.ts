import type { Condition, Store } from "../../store/index.ts";
import { type UserRecord, users } from "./collection.ts";
import { findAddress } from "./emails/addresses.ts";

/** How a search text meets users (users-and-auth 5.1). */
export interface UserSearch {
  /** Leaves a few too many, for `matches` to sort out. */
  readonly condition: Condition<typeof users.indexes>;
  matches(user: UserRecord): boolean;
  /** Who comes first: exact public e-mail address, exact username, exact name. */
  readonly exact: readonly number[];
}

/** Below this, a text must be the whole name or username: two letters are part of too many. */
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
  if (wanted.length < fuzzyLengthMin) return { condition: { ids }, matches: (user) => ids.has(user.id), exact };
  const words = wanted.split(/\s+/);
  return {
    condition: { anyOf: [{ ids }, { index: "words", contains: words }] },
    matches(user) {
      if (ids.has(user.id)) return true;
      const name = user.name.toLowerCase();
      const username = user.username.toLowerCase();
      return words.every((word) => name.includes(word)) || words.every((word) => username.includes(word));
    },
    exact,
  };
}

/** Whose primary or confirmed secondary address this is. */
function holderOf(store: Store, address: string): number[] {
  const holder = findAddress(store, address);
  return holder === undefined || holder.secondary?.confirmed_at === null ? [] : [holder.userId];
}

function present(id: number | undefined): number[] {
  return id === undefined ? [] : [id];
}
