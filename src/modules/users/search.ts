import type { Store } from "../../store/index.ts";
import { type UserRecord, users } from "./collection.ts";

/** How a search text meets users (users-and-auth 5.1). */
export interface UserSearch {
  matches(user: UserRecord): boolean;
  /** Who comes first: exact public e-mail address, exact username, exact name. */
  readonly exact: readonly number[];
}

/** Below this, a text must be the whole name or username: two letters are part of too many. */
const fuzzyLengthMin = 3;

/** undefined for a blank text, which is no filter. E-mail addresses match whole only; private ones for administrators. */
export function searchUsers(store: Store, given: string, isAdministrator: boolean): UserSearch | undefined {
  const text = given.trim().toLowerCase().replace(/^@/, "");
  if (text === "") return undefined;
  const documents = store.of(users);
  const byUsername = documents.by.username.find(text);
  const exact = [
    ...documents.by.public_email.find(text),
    ...(byUsername === undefined ? [] : [byUsername]),
    ...documents.by.name.between(text, text),
  ];
  const words = text.split(/\s+/);
  return {
    exact,
    matches(user) {
      const name = user.name.toLowerCase();
      const username = user.username.toLowerCase();
      if (name === text || username === text || user.public_email?.toLowerCase() === text) return true;
      if (isAdministrator && user.email.toLowerCase() === text) return true;
      if (text.length < fuzzyLengthMin) return false;
      return words.every((word) => name.includes(word)) || words.every((word) => username.includes(word));
    },
  };
}
