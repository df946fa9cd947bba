import type { RE2JS } from "re2js";

/** A pattern in RE2 syntax, whose matching time is linear in the length of the text. */
export type LinearPattern = RE2JS;

/** The maximum length of a pattern. */
export const patternLengthMax = 255;

/** The costs of a compilation, in steps of 0.4 microseconds. */
const stepsPerPattern = 400;
/** The library visits every character of a property and of a long range, and with `i` also their other cases. */
const stepsPerProperty = 1000;
const stepsPerFarRange = 4000;
const stepsPerFarRangeOfAnyCase = 12_000;

/** Returns the most steps, of 0.4 microseconds, of compiling a pattern, besides those for its instructions. */
export function compilationSteps(source: string): number {
  const properties = source.match(/\\[pPWDS]|\[:\^/g)?.length ?? 0;
  const farRanges = source.match(/-(?:\\x|\P{ASCII})/gu)?.length ?? 0;
  const isOfAnyCase = /\(\?[a-zA-Z-]*i/.test(source);
  const perFarRange = isOfAnyCase ? stepsPerFarRangeOfAnyCase : stepsPerFarRange;
  return stepsPerPattern + properties * stepsPerProperty + farRanges * perFarRange;
}

/** Compiles a pattern. Throws an error of the library for an invalid one. */
export function compilePattern(source: string): LinearPattern {
  // Loaded at the first use, since it is rarely needed.
  const { RE2JS } = require("re2js") as typeof import("re2js");
  return RE2JS.compile(source);
}
