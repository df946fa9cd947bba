/** The questions of `rules: changes` and `rules: exists` about the files of a commit. */

import { ExpansionBudget, expandVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Globs, patternLengthMax } from "./rules/globs.ts";

/** The files that `rules: changes` and `exists` match. */
export interface RepositoryFiles {
  /** Paths of all files; undefined when there are too many to look at. */
  readonly all: readonly string[] | undefined;
  /** Paths that the push changed; undefined when there is nothing to compare with, or too much. */
  readonly changed: readonly string[] | undefined;
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
  isChanged(patterns: readonly string[], variables: Variables): boolean {
    const { changed } = this.#files;
    if (changed === undefined) return true;
    return patterns.some((pattern) => this.#globs.matchesSome(this.#patternOf(pattern, variables), changed));
  }

  /** The pattern itself has room in it, and what its variables make of it. */
  #patternOf(pattern: string, variables: Variables): string {
    return expandVariables(pattern, variables, new ExpansionBudget(this.#globs.budget, 2 * patternLengthMax));
  }
}
