/** The users that a text mentions. */

import { spend } from "../../../domain/work-budget.ts";
import { linesOutsideFences } from "../../../lib/text/markdown.ts";
import type { Store } from "../../../store/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";

const inlineCode = /`[^`]*`/g;
/** Matches no `@` behind a letter or a slash: mail addresses and URLs have it too. */
const mention = /(?<![\w/])@(\w[\w.-]*)/g;

/** The limits of one text, and of users in all: each user is asked whether they may read it, and gets a mail. */
const charactersMax = 100_000;
const namesMax = 1_000;
const usersMax = 100;
const notOfName = /[^\w.-]/g;

/** Users whom texts name with `@username`, each once. Names in code do not count, nor those beyond the limits. */
export function mentionedIn(store: Store, ...texts: readonly (string | null)[]): number[] {
  const ids = new Set<number>();
  for (const text of texts) {
    if (text === null || !text.includes("@")) continue;
    const read = beginningOf(text);
    spend(read.length);
    const names = new Set<string>();
    for (const name of namesIn(read)) {
      if (names.has(name)) continue;
      if (names.size === namesMax || ids.size === usersMax) break;
      names.add(name);
      const user = findUserByUsername(store, name);
      if (user !== undefined) ids.add(user.id);
    }
  }
  return [...ids];
}

/** The part of a text that is read, with the whole of its last name. */
function beginningOf(text: string): string {
  if (text.length <= charactersMax) return text;
  notOfName.lastIndex = charactersMax;
  return text.slice(0, notOfName.exec(text)?.index ?? charactersMax);
}

function* namesIn(text: string): Generator<string> {
  for (const line of linesOutsideFences(text)) {
    if (!line.includes("@")) continue;
    for (const [, name = ""] of line.replaceAll(inlineCode, " ").matchAll(mention)) yield withoutDots(name);
  }
}

/** The end of a sentence is no part of a name. */
function withoutDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === ".") end -= 1;
  return name.slice(0, end);
}
