/** The loaded names. A call of `require` takes a microsecond, and a text may have thirty thousand names. */
let emojis: ReadonlyMap<string, string> | undefined;

/**
 * Returns the character of an emoji by its name without colons, such as `coffee`; undefined for an unknown name. The first
 * call loads the names, so that the start does not wait.
 */
export function emojiOf(name: string): string | undefined {
  emojis ??= new Map(Object.entries((require("gemoji") as typeof import("gemoji")).nameToEmoji));
  return emojis.get(name);
}

/** Converts plain text into HTML: escapes markup, and replaces known `:names:` with emojis. */
export function renderEmoji(text: string): string {
  return Bun.escapeHTML(text).replace(/:([a-z0-9_+-]+):/g, (whole, name: string) => emojiOf(name) ?? whole);
}

/** The same for a text of several paragraphs. */
export function renderParagraphs(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((each) => each.trim() !== "");
  return paragraphs.map((each) => `<p dir="auto">${renderEmoji(each.trim())}</p>`).join("\n");
}
