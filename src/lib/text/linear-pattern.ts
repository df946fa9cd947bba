import type { RE2JS } from "re2js";

/** A pattern in the syntax of RE2, whose matching takes a time that only grows with the length of the text. */
export type LinearPattern = RE2JS;

/** Longer patterns are refused: no person writes them. */
export const patternLengthMax = 255;

/** Costs of a compilation, in steps of 0.4 microseconds. */
const stepsPerPattern = 400;
/** The library visits everything in character properties and in ranges up to distant characters, and with `i` each character. */
const stepsPerProperty = 1000;
const stepsPerFarRange = 4000;
const stepsPerFarRangeOfAnyCase = 12_000;

/** Steps of 0.4 microseconds that the compilation of a pattern takes at most, beside those for its instructions. */
export function compilationSteps(source: string): number {
  const properties = source.match(/\\[pPWDS]|\[:\^/g)?.length ?? 0;
  const farRanges = source.match(/-(?:\\x|\P{ASCII})/gu)?.length ?? 0;
  const isOfAnyCase = /\(\?[a-zA-Z-]*i/.test(source);
  const perFarRange = isOfAnyCase ? stepsPerFarRangeOfAnyCase : stepsPerFarRange;
  return stepsPerPattern + properties * stepsPerProperty + farRanges * perFarRange;
}

/** Throws an error of the library for what is no pattern. */
export function compilePattern(source: string): LinearPattern {
  // The library is rarely needed, so the first use loads it.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  return RE2JS.compile(source);
}
