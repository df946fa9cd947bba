/** The regular expressions of CI files, matched in linear time. */

import {
  compilationSteps,
  compilePattern,
  type LinearPattern,
  patternLengthMax,
} from "../../../../lib/text/linear-pattern.ts";
import { Budget } from "../budget.ts";
import { CiFileError } from "../values.ts";

/** `/source/flags`, as it stands in the file. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Costs from the budget. Five hundred jobs with a few rules each take a tenth of it. */
const stepsPerInstruction = 10;
/** Instructions of a pattern that are tried on a sign in one step. */
const triedPerStep = 4;
/** Characters of a text that is looked up in one step. */
const lookedUpPerStep = 1000;

/** `/x/i` → its parts; undefined for what is no pattern. */
export function readPattern(text: string): Pattern | undefined {
  const match = /^\/(.*)\/([imsU]*)$/m.exec(text);
  return match === null ? undefined : { source: match[1] as string, flags: match[2] as string };
}

/**
 * The patterns of one CI file, in the syntax of RE2, whose matching takes a time that only grows with the length of the
 * text: those of JavaScript can take seconds each, and one CI file would hold the whole process.
 */
export class Patterns {
  readonly #compiled = new Map<string, LinearPattern>();
  /** Results by pattern, then by text. */
  readonly #answers = new Map<LinearPattern, Map<string, boolean>>();
  readonly #budget: Budget;

  constructor(budget = new Budget()) {
    this.#budget = budget;
  }

  /** Throws `CiFileError` for what is no pattern, and for more work than a file may make. */
  check(pattern: Pattern): void {
    this.#compile(pattern);
  }

  /** Whether it is a pattern of RE2. Throws `CiFileError` for more work than a file may make. */
  isValid(pattern: Pattern): boolean {
    try {
      this.#compile(pattern);
      return true;
    } catch (error) {
      if (error instanceof CiFileError && error.message === invalidSyntax) return false;
      throw error;
    }
  }

  /** Whether some part of a text is like the pattern. Throws as `check`. */
  matches(pattern: Pattern, text: string): boolean {
    const compiled = this.#compile(pattern);
    const answers = this.#answers.get(compiled) ?? new Map<string, boolean>();
    this.#answers.set(compiled, answers);
    this.charge(1 + text.length / lookedUpPerStep);
    const known = answers.get(text);
    if (known !== undefined) return known;
    this.charge((compiled.programSize() * text.length) / triedPerStep);
    const answer = compiled.test(text);
    answers.set(text, answer);
    return answer;
  }

  #compile({ source, flags }: Pattern): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    if (source.length > patternLengthMax) throw new CiFileError(invalidSyntax);
    const whole = flags === "" ? source : `(?${flags})${source}`;
    this.charge(compilationSteps(whole));
    const compiled = compile(whole);
    this.charge(compiled.programSize() * stepsPerInstruction);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** Counts work of the rules that the patterns are in. Throws `CiFileError`. */
  charge(steps: number): void {
    this.#budget.charge(steps, tooLong);
  }
}

export const invalidSyntax = "invalid expression syntax";
export const tooLong = "the patterns of the file take too long to match";

function compile(source: string): LinearPattern {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new CiFileError(invalidSyntax, { cause: error });
  }
}
