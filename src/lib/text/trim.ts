/** Returns the text without the given characters at its start and end. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start] as string)) start += 1;
  return trimEndCharacters(text.slice(start), characters);
}

/** Returns the text without the given characters at its end. The pattern `/-+$/` would take quadratic time for long runs. */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

/** Returns the letters, digits and hyphens of a text, at most 63: a part of a host name (RFC 1123). */
export function slugOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^0-9a-z]/g, "-");
  return trimCharacters(plain.slice(0, 63), "-");
}
