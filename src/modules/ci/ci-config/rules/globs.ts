/** The patterns of `changes:` and `exists:`. */

import { Budget } from "../budget.ts";
import { CiFileError } from "../values.ts";
import { tooLong } from "./patterns.ts";

/** Patterns that one with braces may stand for. */
const alternativesMax = 100;
export const patternLengthMax = 1000;
/** Paths whose beginning and end are compared in one step, and characters that are read or compared in one. */
const pathsPerStep = 4;
const charactersPerStep = 32;
const stepsPerPattern = 25;
const stepsPerName = 0.25;

/** One pattern without braces. */
interface Glob {
  /** Text that every matching path starts and ends with: it rules out most other paths quickly. */
  readonly start: string;
  readonly end: string;
  readonly segments: readonly Segment[];
}

type Segment = "**" | readonly Part[];
/** A character as it is, by its code point, any one, any number, or one of a class. */
type Part = number | "one" | "many" | Class;

/** Code points from one to another, sorted, without overlaps. */
interface Class {
  readonly not: boolean;
  readonly ranges: readonly (readonly [low: number, high: number])[];
}

/**
 * Patterns of paths: `*` and `?` stay in one folder, a folder `**` is any number of them, `{a,b}` is either, `[a-z]` a class.
 * Read and matched by hand: a class, negated or not, never stands for a slash here, and what a hostile pattern costs is
 * known, character for character.
 */
export class Globs {
  readonly #compiled = new Map<string, readonly Glob[]>();
  readonly #answers = new Map<readonly string[], Map<string, boolean>>();
  readonly #names = new Map<readonly string[], ReadonlySet<string>>();
  readonly budget: Budget;

  constructor(budget = new Budget()) {
    this.budget = budget;
  }

  /** True when the text is one of the paths; its characters have no special meaning. Throws `CiFileError`. */
  hasPath(text: string, paths: readonly string[]): boolean {
    const names = this.#names.get(paths) ?? new Set(paths);
    this.#names.set(paths, names);
    this.#charge(1 + text.length / charactersPerStep);
    return names.has(text);
  }

  /** True when one of the paths is like the pattern. Throws as `pathsLike`. */
  matchesSome(pattern: string, paths: readonly string[]): boolean {
    if (pattern.length <= patternLengthMax && !/[*?[{\\]/.test(pattern)) return this.hasPath(pattern, paths);
    const known = this.#answers.get(paths) ?? new Map<string, boolean>();
    this.#answers.set(paths, known);
    const globs = this.#compile(pattern);
    const answer = known.get(pattern) ?? paths.some((path) => this.#isLikeOne(path, globs));
    known.set(pattern, answer);
    return answer;
  }

  /** The paths that are like the pattern, in order. Throws `CiFileError` for a pattern that is too long, or too much work. */
  pathsLike(pattern: string, paths: readonly string[]): string[] {
    const globs = this.#compile(pattern);
    return paths.filter((path) => this.#isLikeOne(path, globs));
  }

  #isLikeOne(path: string, globs: readonly Glob[]): boolean {
    for (const { start, end, segments } of globs) {
      this.#charge(1 / pathsPerStep);
      if (!path.startsWith(start) || !path.endsWith(end)) continue;
      this.#charge(1 + path.length / charactersPerStep);
      if (this.#matches(segments, path.split("/"))) return true;
    }
    return false;
  }

  #compile(pattern: string): readonly Glob[] {
    this.#charge(1);
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    if (pattern.length > patternLengthMax) throw new CiFileError("a pattern of paths is too long");
    const alternatives = [...new Set(this.#alternativesOf(pattern))];
    for (const text of alternatives) this.#charge(stepsToCompile(text));
    const compiled = alternatives.map(globOf);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  /** `a{b,c}` → `ab`, `ac`; braces may stand in braces. Throws `CiFileError` for too many. */
  #alternativesOf(pattern: string): string[] {
    const open = [pattern];
    const done: string[] = [];
    for (let text = open.pop(); text !== undefined; text = open.pop()) {
      this.#charge(text.length / charactersPerStep);
      const group = /\{([^{}]*)\}/.exec(text);
      if (group === null) done.push(text);
      else for (const each of (group[1] as string).split(",")) open.push(text.replace(group[0], () => each));
      if (open.length + done.length > alternativesMax) throw new CiFileError("a pattern of paths has too many braces");
    }
    return done;
  }

  #matches(segments: readonly Segment[], names: readonly string[]): boolean {
    // The segments that may come next, after each name: no place is tried twice.
    let open = new Uint8Array(segments.length + 1);
    open[0] = 1;
    for (const name of names) {
      this.#charge(1 + segments.length / charactersPerStep);
      passEmpty(segments, open);
      const next = new Uint8Array(segments.length + 1);
      for (let at = 0; at < segments.length; at += 1) {
        const segment = segments[at] as Segment;
        if (open[at] === 0) continue;
        if (segment === "**") next[at] = 1;
        else if (this.#isName(segment, name)) next[at + 1] = 1;
      }
      open = next;
    }
    passEmpty(segments, open);
    return open[segments.length] === 1;
  }

  /** One name: after a mismatch the last `*` takes one character more. */
  #isName(parts: readonly Part[], name: string): boolean {
    this.#charge(stepsPerName);
    let [at, character, star, from] = [0, 0, -1, 0];
    while (character < name.length) {
      const part = parts[at];
      const point = name.codePointAt(character) as number;
      this.#charge(comparisonsOf(part) / charactersPerStep);
      if (part === "many") [star, from, at] = [at, character, at + 1];
      else if (part !== undefined && isOne(part, point)) [at, character] = [at + 1, character + lengthOf(point)];
      else if (star === -1) return false;
      else {
        from += lengthOf(name.codePointAt(from) as number);
        [character, at] = [from, star + 1];
      }
    }
    while (parts[at] === "many") at += 1;
    return at === parts.length;
  }

  #charge(steps: number): void {
    this.budget.charge(steps, tooLong);
  }
}

/** Each `[` may start a class whose end is searched in the rest of the pattern. */
function stepsToCompile(text: string): number {
  const openings = text.split("[").length - 1;
  return stepsPerPattern + text.length + (openings * text.length) / charactersPerStep;
}

/** `**` may be no folder at all. */
function passEmpty(segments: readonly Segment[], open: Uint8Array): void {
  for (let at = 0; at < segments.length; at += 1) if (open[at] === 1 && segments[at] === "**") open[at + 1] = 1;
}

function globOf(text: string): Glob {
  // A final `**` matches one name: deeper files need `**` and a slash. Several `**/` in a row are one.
  const plain = text.replace(/(^|\/)\*\*$/, "$1*").replace(/(?:\*\*\/){2,}/g, "**/");
  return {
    start: /^[^*?[\\]*/.exec(plain)?.[0] ?? "",
    end: plain.split(/[*?[\]\\/]/).at(-1) ?? "",
    segments: plain.split("/").map(segmentOf),
  };
}

/** Returns the most comparisons that one character costs. */
function comparisonsOf(part: Part | undefined): number {
  return typeof part === "object" ? 1 + Math.log2(1 + part.ranges.length) : 1;
}

function isOne(part: Exclude<Part, "many">, point: number): boolean {
  if (typeof part === "number") return part === point;
  return part === "one" || isAmong(part.ranges, point) !== part.not;
}

/** Halves what is left until one range is. */
function isAmong(ranges: Class["ranges"], point: number): boolean {
  let [first, end] = [0, ranges.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    const [low, high] = ranges[middle] as Class["ranges"][number];
    if (point < low) end = middle;
    else if (point > high) first = middle + 1;
    else return true;
  }
  return false;
}

function lengthOf(point: number): number {
  return point > 0xffff ? 2 : 1;
}

function segmentOf(text: string): Segment {
  if (text === "**") return "**";
  return [...text.matchAll(/\\(.)|\[([!^]?)((?:[^\]\\]|\\.)+)\]|(\*+)|(\?)|(.)/gsu)].map(
    ([, escaped, not, characters, stars, one, plain]) => {
      if (stars !== undefined) return "many";
      if (one !== undefined) return "one";
      if (characters === undefined) return pointOf((escaped ?? plain) as string);
      return { not: not !== "", ranges: rangesOf(characters) };
    },
  );
}

function pointOf(character: string): number {
  return character.codePointAt(0) as number;
}

/** `a-cx` → from `a` to `c`, and `x`. */
function rangesOf(characters: string): Class["ranges"] {
  const given = [...characters.matchAll(/(.)-(.)|(.)/gsu)]
    .map(([, low = "", high = "", own]) => [pointOf(own ?? low), pointOf(own ?? high)] as const)
    .filter(([low, high]) => low <= high)
    .sort(([one], [other]) => one - other);
  const ranges: [number, number][] = [];
  for (const [low, high] of given) {
    const last = ranges.at(-1);
    if (last !== undefined && low <= last[1]) last[1] = Math.max(last[1], high);
    else ranges.push([low, high]);
  }
  return ranges;
}
