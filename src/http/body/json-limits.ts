import { spend } from "../../domain/work-budget.ts";
import {
  arrayItemsMax,
  arrayTooLarge,
  elementsMax,
  hashKeysMax,
  hashTooLarge,
  jsonTooLarge,
  nestedTooDeeply,
  nestingMax,
  tooManyElements,
} from "../params/parameter-limits.ts";

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openHash, closeHash] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Bytes outside of texts: all elements that a body may have, each with a long number and its indentation. */
const outsideBytesMax = 4 << 20;

/** The steps of an element: the parser takes long for each key, and so does every walk of the values. */
const elementSteps = 30;

/** An array or a hash that is open at some place of the text. */
interface Container {
  readonly isArray: boolean;
  elements: number;
}

/**
 * Counts nesting and elements of a JSON text without building anything, so that a hostile body is refused before it
 * is parsed. Throws 400 and `OverBudget`; what is not JSON at all is left to the parser.
 */
export function checkJsonLimits(bytes: Uint8Array): void {
  const open: Container[] = [];
  let total = 0;
  let outside = 0;

  function countElement(container: Container | undefined): void {
    if (container === undefined) return;
    container.elements += 1;
    total += 1;
    if (container.isArray && container.elements > arrayItemsMax) throw arrayTooLarge();
    if (!container.isArray && container.elements > hashKeysMax) throw hashTooLarge();
    if (total > elementsMax) throw tooManyElements();
  }

  for (let at = 0; at < bytes.length; at += 1) {
    outside += 1;
    if (outside > outsideBytesMax) throw jsonTooLarge();
    switch (bytes[at]) {
      case quote:
        at = endOfString(bytes, at);
        break;
      case comma:
        countElement(open.at(-1));
        break;
      case openArray:
      case openHash: {
        if (open.length === nestingMax) throw nestedTooDeeply();
        const container = { isArray: bytes[at] === openArray, elements: 0 };
        open.push(container);
        if (!isClosedNext(bytes, at)) countElement(container);
        break;
      }
      case closeArray:
      case closeHash:
        open.pop();
        break;
    }
  }
  spend(total * elementSteps, "input");
}

/** Strings, and what follows an escaped quote, are looked at this far before the runtime is asked, which has to be called. */
const nearBytes = 64;

/** The index at which the string that starts at `start` ends, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    const near = Math.min(bytes.length, at + nearBytes);
    while (at < near && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    if (at < near) return at;
    const found = bytes.indexOf(quote, at);
    if (found < 0) break;
    if (!isEscaped(bytes, at, found)) return found;
    at = found + 1;
  }
  return bytes.length;
}

/** Whether an odd number of backslashes stands before a place; `from` is where none of them can escape another before it. */
function isEscaped(bytes: Uint8Array, from: number, place: number): boolean {
  let before = place;
  while (before > from && bytes[before - 1] === backslash) before -= 1;
  return (place - before) % 2 === 1;
}

function isClosedNext(bytes: Uint8Array, open: number): boolean {
  let at = open + 1;
  while (isSpace(bytes[at])) at += 1;
  return bytes[at] === closeArray || bytes[at] === closeHash;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
