/** True when a text has more than `max` code points. An emoji counts as one. */
export function exceedsLength(text: string | null | undefined, max: number): boolean {
  if (!text || text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** True when a text has a character from U+0000 to U+001F. */
export function hasControlCharacter(text: string): boolean {
  for (const character of text) if (character < " ") return true;
  return false;
}
