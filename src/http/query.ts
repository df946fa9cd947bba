import { putValue } from "./brackets.ts";
import { elementsMax, tooManyElements } from "./parameter-limits.ts";
import { badRequest } from "./refusals.ts";
import { emptyValues, type RawValues } from "./values.ts";

/**
 * The query string, without its `?`, as parameters. Throws 400 for what `readPairs` refuses, and for U+FFFD: Bun
 * writes it in the place of raw bytes that are not UTF-8.
 */
export function readQuery(search: string): RawValues {
  if (search.includes("%EF%BF%BD")) throw badRequest();
  return readPairs(search);
}

/**
 * `a=1&b[]=2&c` → parameters; the last of several plain keys wins, a key without `=` has null (rest-conventions
 * 2.3). Serves queries and form bodies. Throws 400 for a broken escape, a NUL, text that is not UTF-8, and too many.
 */
export function readPairs(text: string): RawValues {
  const values = emptyValues();
  let count = 0;
  let start = 0;
  while (start < text.length) {
    const mark = text.indexOf("&", start);
    const end = mark === -1 ? text.length : mark;
    if (end > start) {
      count += 1;
      if (count > elementsMax) throw tooManyElements();
      putPair(values, text.slice(start, end));
    }
    start = end + 1;
  }
  return values;
}

function putPair(values: RawValues, pair: string): void {
  const equals = pair.indexOf("=");
  if (equals === -1) putValue(values, decodeText(pair), null);
  else putValue(values, decodeText(pair.slice(0, equals)), decodeText(pair.slice(equals + 1)));
}

/** One key or value of a query or form: `+` is a space, escapes are decoded once. Throws 400. */
function decodeText(encoded: string): string {
  const spaced = encoded.includes("+") ? encoded.replaceAll("+", " ") : encoded;
  const decoded = spaced.includes("%") ? decodeEscapes(spaced) : spaced;
  if (decoded.includes("\0")) throw badRequest();
  return decoded;
}

function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest();
  }
}
