/** The name that the jobs of a group share. */

import { trimEndCharacters } from "../../../../lib/text/trim.ts";

const digits = "0123456789";
const spaces = " \t\n\r";
const beforeNumber = `${spaces}:`;
const betweenNumbers = `${spaces}:/\\`;
/** Parts that `parallel:` and people put behind a name: `rspec: [linux, 18] 1/3`. */
const partsMax = 3;

/** `rspec` of `rspec 1/3` and of `rspec: [linux, 18]`. A pattern would take quadratic time for long names. */
export function groupNameOf(name: string): string {
  let text = name.trimEnd();
  for (let part = 0; part < partsMax; part += 1) {
    const shorter = text.endsWith("]") ? withoutList(text) : withoutNumbers(text);
    const start = trimEndCharacters(shorter, beforeNumber);
    if (start === shorter || start === "") break;
    text = start;
  }
  return text.trim();
}

/** The text before the first list that stands behind a space or a colon. */
function withoutList(text: string): string {
  for (let at = text.indexOf("["); at > 0; at = text.indexOf("[", at + 1)) {
    if (beforeNumber.includes(text[at - 1] as string)) return text.slice(0, at);
  }
  return "";
}

/** The text before two numbers with a sign between them; empty without these. */
function withoutNumbers(text: string): string {
  const second = trimEndCharacters(text, digits);
  const between = trimEndCharacters(second, betweenNumbers);
  const first = trimEndCharacters(between, digits);
  return second === text || between === second || first === between ? "" : first;
}
