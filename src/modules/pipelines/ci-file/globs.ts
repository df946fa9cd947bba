import { CiFileError } from "./values.ts";

/** Patterns that one with braces may stand for. */
const alternativesMax = 100;
/** Signs that are compared for one file's patterns, after which everything matches: everybody else waits meanwhile. */
const workMax = 10_000_000;
export const patternLengthMax = 1000;

/** One pattern without braces. */
interface Glob {
  /** How every path that is like it begins and ends: most others are told by that. */
  readonly start: string;
  readonly end: string;
  readonly segments: readonly Segment[];
}

type Segment = "**" | readonly Part[];
/** A sign as it is, any one, any number, or one of a class. */
type Part = string | { readonly any: "one" | "many" } | { readonly not: boolean; readonly ranges: readonly string[] };

/**
 * Patterns of paths: `*` and `?` stay in one folder, a folder `**` is any number of them, `{a,b}` is either, `[a-z]` a class.
 * Read and matched by hand, as what a hostile pattern may cost has to be known.
 */
export class Globs {
  readonly #compiled = new Map<string, readonly Glob[]>();
  readonly #answers = new Map<readonly string[], Map<string, boolean>>();
  #left = workMax;

  /** Whether one of the paths is like the pattern. Throws `CiFileError`. */
  matchesSome(pattern: string, paths: readonly string[]): boolean {
    const known = this.#answers.get(paths) ?? new Map<string, boolean>();
    this.#answers.set(paths, known);
    const answer = known.get(pattern) ?? paths.some((path) => this.matches(pattern, path));
    known.set(pattern, answer);
    return answer;
  }

  /** Throws `CiFileError` for a pattern that is too long. */
  matches(pattern: string, path: string): boolean {
    if (this.#left < 0) return true;
    return this.#compile(pattern).some(({ start, end, segments }) => {
      this.#left -= 1;
      return path.startsWith(start) && path.endsWith(end) && this.#matches(segments, path.split("/"));
    });
  }

  #compile(pattern: string): readonly Glob[] {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    if (pattern.length > patternLengthMax) throw new CiFileError("a pattern of paths is too long");
    const compiled = alternativesOf(pattern).map(globOf);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  #matches(segments: readonly Segment[], names: readonly string[]): boolean {
    // Which segments may come next, after each name: no place is tried twice.
    let open = new Uint8Array(segments.length + 1);
    open[0] = 1;
    for (const name of names) {
      this.#left -= segments.length;
      if (this.#left < 0) return true;
      passEmpty(segments, open);
      const next = new Uint8Array(segments.length + 1);
      for (let at = 0; at < segments.length; at += 1) {
        const segment = segments[at] as Segment;
        if (open[at] === 0) continue;
        if (segment === "**") next[at] = 1;
        else if (this.#isLike(segment, name)) next[at + 1] = 1;
      }
      open = next;
    }
    passEmpty(segments, open);
    return open[segments.length] === 1;
  }

  /** One name: after a mismatch the last `*` takes one sign more. */
  #isLike(parts: readonly Part[], name: string): boolean {
    let [at, sign, star, from] = [0, 0, -1, 0];
    while (sign < name.length) {
      this.#left -= 1;
      if (this.#left < 0) return true;
      const part = parts[at];
      if (typeof part === "object" && "any" in part && part.any === "many") [star, from, at] = [at, sign, at + 1];
      else if (part !== undefined && isOne(part, name[sign] as string)) [at, sign] = [at + 1, sign + 1];
      else if (star === -1) return false;
      else [from, sign, at] = [from + 1, from + 1, star + 1];
    }
    return parts.slice(at).every((part) => typeof part === "object" && "any" in part && part.any === "many");
  }
}

/** `**` may be no folder at all. */
function passEmpty(segments: readonly Segment[], open: Uint8Array): void {
  for (let at = 0; at < segments.length; at += 1) if (open[at] === 1 && segments[at] === "**") open[at + 1] = 1;
}

function globOf(text: string): Glob {
  // At the end `**` stands for one name, as a pattern of files says more with `**` and a slash; many in a row are one.
  const plain = text.replace(/(^|\/)\*\*$/, "$1*").replace(/(?:\*\*\/){2,}/g, "**/");
  return {
    start: /^[^*?[\\]*/.exec(plain)?.[0] ?? "",
    end: /[^*?[\]\\/]*$/.exec(plain)?.[0] ?? "",
    segments: plain.split("/").map(segmentOf),
  };
}

function isOne(part: Part, sign: string): boolean {
  if (typeof part === "string") return part === sign;
  if ("any" in part) return part.any === "one";
  return part.ranges.some((range) => (range[0] as string) <= sign && sign <= (range.at(-1) as string)) !== part.not;
}

function segmentOf(text: string): Segment {
  if (text === "**") return "**";
  return [...text.matchAll(/\\(.)|\[([!^]?)((?:[^\]\\]|\\.)+)\]|(\*+)|(\?)|(.)/gsu)].map(
    ([, escaped, not, signs, stars, one, plain]) => {
      if (stars !== undefined) return { any: "many" };
      if (one !== undefined) return { any: "one" };
      if (signs === undefined) return (escaped ?? plain) as string;
      const ranges = [...signs.matchAll(/(.)-(.)|(.)/gsu)].map(([, low = "", high = "", own]) => own ?? low + high);
      return { not: not !== "", ranges };
    },
  );
}

/** `a{b,c}` → `ab`, `ac`; braces may stand in braces. Throws `CiFileError` for too many. */
function alternativesOf(pattern: string): string[] {
  const open = [pattern];
  const done: string[] = [];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = /\{([^{}]*)\}/.exec(text);
    if (group === null) done.push(text);
    else for (const each of (group[1] as string).split(",")) open.push(text.replace(group[0], () => each));
    if (open.length + done.length > alternativesMax) throw new CiFileError("a pattern of paths has too many braces");
  }
  return done;
}
