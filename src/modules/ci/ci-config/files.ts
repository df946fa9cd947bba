/** The questions of `rules: changes` and `rules: exists` about the files of a commit. */

import { ExpansionBudget, expandVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Globs, patternLengthMax } from "./rules/globs.ts";
import type { Changes } from "./rules/rules.ts";
import { CiFileError } from "./values.ts";

/** Paths that were changed since a ref; undefined when there are too many to look at. */
export type Comparison = readonly string[] | undefined | "no ref";

/** The files that `rules: changes` and `exists` match. */
export interface RepositoryFiles {
  /** Paths of all files; undefined when there are too many to look at. */
  readonly all: readonly string[] | undefined;
  /** Paths that the push changed; undefined when there is nothing to compare with, or too much. */
  readonly changed: readonly string[] | undefined;
  /** Paths by the ref since which they were changed: `withComparisons` adds those that are asked for. */
  readonly comparisons?: ReadonlyMap<string, Comparison>;
}

/** A rule compares with a ref that is not there; each place of rules says that in its own way. */
export class CompareError extends CiFileError {
  override readonly name = "CompareError";

  constructor() {
    super("rules:changes:compare_to is not a valid ref");
  }
}

/** A rule asks for a comparison that was not made yet. */
class MissingComparison extends Error {
  override readonly name = "MissingComparison";
  readonly ref: string;

  constructor(ref: string) {
    super(`no comparison with ${ref}`);
    this.ref = ref;
  }
}

/** Refs that the rules of one file compare with: each is a walk through a history. */
const comparisonsMax = 20;

/**
 * Asks rules, which cannot wait for a repository: they are asked again with each comparison that they turn out to need. Throws
 * `CiFileError`.
 */
export async function withComparisons<R>(
  compare: (ref: string) => Promise<Comparison>,
  ask: (comparisons: ReadonlyMap<string, Comparison>) => R | Promise<R>,
): Promise<R> {
  const known = new Map<string, Comparison>();
  for (;;) {
    try {
      return await ask(known);
    } catch (error) {
      if (!(error instanceof MissingComparison)) throw error;
      if (known.size >= comparisonsMax) {
        throw new CiFileError(`rules:changes:compare_to names too many refs (maximum is ${comparisonsMax})`);
      }
      known.set(error.ref, await compare(error.ref));
    }
  }
}

/** Answers the questions of one pipeline. If the answer is unknown, the rule matches, as in the real system. */
export class FileMatcher {
  readonly #files: RepositoryFiles;
  readonly #globs: Globs;

  /** @param globs what other questions of the same file cost is counted there, too */
  constructor(files: RepositoryFiles, globs = new Globs()) {
    this.#files = files;
    this.#globs = globs;
  }

  /** Paths that are like a pattern, in order; undefined when there are too many to look at. */
  like(pattern: string): string[] | undefined {
    const { all } = this.#files;
    return all === undefined ? undefined : this.#globs.pathsLike(pattern, all);
  }

  /** Whether one of the patterns is of a file that is there. Throws `CiFileError`. */
  exists(patterns: readonly string[], variables: Variables): boolean {
    const { all } = this.#files;
    return patterns.some((pattern) => {
      const wanted = this.#patternOf(pattern, variables).replace(/^\.?\/+/, "");
      return all === undefined || this.#globs.hasPath(wanted, all) || this.#globs.matchesSome(wanted, all);
    });
  }

  /** Whether one of the patterns is of a file that was changed. Throws `CiFileError`. */
  isChanged({ paths, compareTo }: Changes, variables: Variables): boolean {
    const changed = compareTo === undefined ? this.#files.changed : this.#changedSince(compareTo, variables);
    if (changed === undefined) return true;
    return paths.some((pattern) => this.#globs.matchesSome(this.#patternOf(pattern, variables), changed));
  }

  #changedSince(compareTo: string, variables: Variables): readonly string[] | undefined {
    const { comparisons } = this.#files;
    const ref = this.#patternOf(compareTo, variables);
    if (comparisons?.has(ref) !== true) throw new MissingComparison(ref);
    const found = comparisons.get(ref);
    if (found === "no ref") throw new CompareError();
    return found;
  }

  /** The pattern itself has room in it, and what its variables make of it. */
  #patternOf(pattern: string, variables: Variables): string {
    return expandVariables(pattern, variables, new ExpansionBudget(this.#globs.budget, 2 * patternLengthMax));
  }
}
