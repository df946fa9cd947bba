/** The refusal of aliases that would copy long texts. */

import type { Budget } from "../budget.ts";
import { tooBig } from "../extent.ts";
import { CiFileError } from "../values.ts";

const charactersPerStep = 16;

/** Names end at a colon here, so that one that the parser reads longer or shorter is still counted. */
const alias = /\*([^ \t\r\n,[\]{}:]+)/g;
const anchor = /&([^ \t\r\n,[\]{}:]+)/g;
/** Text between an anchor and its value: space, comments, a tag, another anchor. */
const between = /(?:[ \t\r\n]|#[^\n]*(?![^\n])|[!&][^ \t\r\n,[\]{}]*(?![^ \t\r\n,[\]{}]))*/y;
/** Text that ends a plain scalar: the value of a key, or a comment. */
const endOfPlain = /:[ \t\r\n]|[ \t\r\n]#/g;
const lineWithoutIndent = /\n(?=[^ \t\r\n])/g;

/**
 * The parser copies a text for each alias of it: half a megabyte with five thousand aliases takes two gigabytes. So the
 * characters of all such copies are counted before it, at most too many. Mappings and lists are shared, and count nothing.
 * Throws `CiFileError` for more than `charactersMax`.
 */
export function requireShortCopies(text: string, charactersMax: number, budget: Budget): void {
  const uses = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(alias)) uses.set(name, (uses.get(name) ?? 0) + 1);
  if (uses.size === 0) return;
  const lengths = new Map<string, number>();
  for (const { 0: written, 1: name = "", index } of text.matchAll(anchor)) {
    if (!uses.has(name)) continue;
    const length = lengthOfText(text, index + written.length, budget);
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  }
  let characters = 0;
  for (const [name, length] of lengths) characters += length * (uses.get(name) ?? 0);
  if (characters > charactersMax) throw new CiFileError(tooBig);
}

/** An upper bound of the length of the text behind an anchor; 0 for a list or a mapping. */
function lengthOfText(text: string, from: number, budget: Budget): number {
  between.lastIndex = from;
  const start = from + (between.exec(text)?.[0].length ?? 0);
  const end = endOfText(text, start);
  budget.charge(1 + (end - from) / charactersPerStep);
  return end - start;
}

function endOfText(text: string, start: number): number {
  switch (text[start]) {
    case "[":
    case "{":
      return start;
    case '"':
    case "'":
      return endOfQuoted(text, start);
    case "|":
    case ">":
      return placeOf(lineWithoutIndent, text, start);
    default:
      return /^[-?][ \t\r\n]/.test(text.slice(start, start + 2)) ? start : placeOf(endOfPlain, text, start);
  }
}

/** A quote behind a backslash, and two in a row, may be characters of the text. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start] as string;
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (quote === '"' && text[at - 1] !== "\\") return at;
    if (quote === "'" && text[at + 1] !== "'") return at;
    if (quote === "'") at += 1;
  }
  return text.length;
}

function placeOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
