import type { RE2JS } from "re2js";

/** A pattern in the syntax of RE2, whose matching takes a time that only grows with the length of the text. */
export type LinearPattern = RE2JS;

/** Longer patterns are refused: no person writes them. */
export const patternLengthMax = 255;

/** Throws an error of the library for what is no pattern. */
export function compilePattern(source: string): LinearPattern {
  // The library is rarely needed, so the first use loads it.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  return RE2JS.compile(source);
}
