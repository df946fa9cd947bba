/** Control characters, those of the second set too, and those that change the direction of writing. */
const steering = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Writes what would steer a terminal as an escape: a text may come from an archive, a server or a user. */
export function printable(text: string): string {
  return text.replaceAll(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
