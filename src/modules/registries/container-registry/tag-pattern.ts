/** The patterns of tags in bulk deletions. */

import {
  compilationSteps,
  compilePattern,
  type LinearPattern,
  patternLengthMax,
} from "../../../lib/text/linear-pattern.ts";

/** The largest program of a pattern: a match of one tag takes some milliseconds at most. */
const programSizeMax = 500;
/** Steps of its compilation: four milliseconds. */
const compilationStepsMax = 10_000;

/** A pattern for whole names of tags; undefined for what is none, or too large. */
export function tagPatternOf(source: string): LinearPattern | undefined {
  if (source.length > patternLengthMax || compilationSteps(source) > compilationStepsMax) return undefined;
  try {
    const pattern = compilePattern(source);
    return pattern.programSize() > programSizeMax ? undefined : pattern;
  } catch {
    return undefined;
  }
}
