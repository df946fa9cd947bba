/** `require` takes a microsecond each time, and a text may have thirty thousand names. */
let emojis: ReadonlyMap<string, string> | undefined;

/**
 * The character of an emoji by its name without colons, such as `coffee`; undefined for an unknown name. The first call
 * loads the names, so that the start does not wait for them.
 */
export function emojiOf(name: string): string | undefined {
  emojis ??= new Map(Object.entries((require("gemoji") as typeof import("gemoji")).nameToEmoji));
  return emojis.get(name);
}

/** Plain text → HTML: what could be markup is escaped, and known `:names:` become their pictures. */
export function renderEmoji(text: string): string {
  return Bun.escapeHTML(text).replace(/:([a-z0-9_+-]+):/g, (whole, name: string) => emojiOf(name) ?? whole);
}
