/** Control characters of both sets, and those that change the direction of writing. */
const steering = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes characters that control a terminal, in texts that come from an archive, a server or a user. */
export function printable(text: string): string {
  return text.replaceAll(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
