/** The users that a text mentions. */

import { linesOutsideFences } from "../../../lib/text/markdown.ts";
import type { Store } from "../../../store/index.ts";
import { findUserByUsername } from "../../core/users/index.ts";

const inlineCode = /`[^`]*`/g;
/** Matches no `@` behind a letter or a slash: mail addresses and URLs have it too. */
const mention = /(?<![\w/])@(\w[\w.-]*)/g;

/** Users whom texts name with `@username`, each once. Names in code do not count. */
export function mentionedIn(store: Store, ...texts: readonly (string | null)[]): number[] {
  const names = new Set<string>();
  for (const text of texts) {
    if (text === null || !text.includes("@")) continue;
    for (const line of linesOutsideFences(text)) {
      if (!line.includes("@")) continue;
      for (const [, name = ""] of line.replaceAll(inlineCode, " ").matchAll(mention)) names.add(withoutDots(name));
    }
  }
  const ids = [...names].map((name) => findUserByUsername(store, name)?.id).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/** The end of a sentence is no part of a name. */
function withoutDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === ".") end -= 1;
  return name.slice(0, end);
}
