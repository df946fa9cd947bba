import { compilePattern, type LinearPattern, patternLengthMax } from "../../../domain/linear-pattern.ts";
import { CiFileError } from "./values.ts";

/** `/source/flags`, as it stands in the file. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/**
 * What the rules and patterns of one file may cost together, in steps of half a microsecond at most: everybody else waits meanwhile.
 * Five hundred jobs with a few rules each take a tenth of it.
 */
const workMax = 1_000_000;
const workOfPattern = 400;
const workOfInstruction = 10;

/** `/x/i` → its parts; undefined for what is no pattern. */
export function readPattern(text: string): Pattern | undefined {
  const match = /^\/((?:\\.|[^/\\])*)\/([imsU]*)$/s.exec(text.trim());
  return match === null ? undefined : { source: match[1] as string, flags: match[2] as string };
}

/**
 * The patterns of one CI file, in the syntax of RE2, whose matching takes a time that only grows with the length of the
 * text: those of JavaScript can take seconds each, and whoever writes a CI file would hold the whole process.
 */
export class Patterns {
  readonly #compiled = new Map<string, LinearPattern>();
  readonly #answers = new Map<string, boolean>();
  #work = 0;

  /** Throws `CiFileError` for what is no pattern, and for more work than a file may make. */
  check(pattern: Pattern): void {
    this.#compile(pattern);
  }

  /** Whether some part of a text is like the pattern. Throws as `check`. */
  matches(pattern: Pattern, text: string): boolean {
    const key = JSON.stringify([pattern.flags, pattern.source, text]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const compiled = this.#compile(pattern);
    this.charge(compiled.programSize() * text.length);
    const answer = compiled.test(text);
    this.#answers.set(key, answer);
    return answer;
  }

  #compile({ source, flags }: Pattern): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    if (source.length > patternLengthMax) throw new CiFileError(invalidSyntax);
    this.charge(workOfPattern);
    const compiled = compile(flags === "" ? source : `(?${flags})${source}`);
    this.charge(compiled.programSize() * workOfInstruction);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** Counts work of the rules that the patterns are in. Throws `CiFileError`. */
  charge(work: number): void {
    this.#work += work;
    if (this.#work > workMax) throw new CiFileError("the patterns of the file take too long to match");
  }
}

export const invalidSyntax = "invalid expression syntax";

function compile(source: string): LinearPattern {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new CiFileError(invalidSyntax, { cause: error });
  }
}
