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

/** The most bytes outside of strings: the most elements of a body, each with a long number and indentation. */
const outsideBytesMax = 4 << 20;

/** The steps of an element: parsing a key takes long, and so does every walk over the values. */
const elementSteps = 30;

/** An array or object that is open at some position of the text. */
interface Container {
  readonly isArray: boolean;
  elements: number;
}

/**
 * Checks nesting and the number of elements of a JSON text before it is parsed, so that a hostile body builds nothing.
 * Throws 400 and `OverBudget`. Leaves other syntax errors to the parser.
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

/** The bytes of a string that are searched here before the runtime's search is called. */
const nearBytes = 64;

/** Returns the index of the end of the string that starts at `start`, or the end of the text. */
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

/** True when an odd number of backslashes precedes a position. The search goes back to `from`. */
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
