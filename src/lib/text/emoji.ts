/**
 * The character of an emoji by its name without colons, such as `coffee`; undefined for an unknown name. The first call
 * loads the names, so that the start does not wait for them.
 */
export function emojiOf(name: string): string | undefined {
  const { nameToEmoji } = require("gemoji") as typeof import("gemoji");
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined;
}

/** Plain text → HTML: what could be markup is escaped, and known `:names:` become their pictures. */
export function renderEmoji(text: string): string {
  return Bun.escapeHTML(text).replace(/:([a-z0-9_+-]+):/g, (whole, name: string) => emojiOf(name) ?? whole);
}
