import { expanded } from "./expansion.ts";
import type { Variables } from "./expressions.ts";
import { Globs } from "./globs.ts";

/** What `rules: changes` and `exists` ask about. */
export interface RepositoryFiles {
  /** Paths of all files; undefined when there are too many to look at. */
  readonly all: readonly string[] | undefined;
  /** Paths that the push changed; undefined when there is nothing to compare with, or too much. */
  readonly changed: readonly string[] | undefined;
}

/** Answers for one pipeline. Where the answer is not known, what asks is let in, as the real system does. */
export class FileQuestions {
  readonly #files: RepositoryFiles;
  readonly #names: ReadonlySet<string>;
  readonly #globs = new Globs();

  constructor(files: RepositoryFiles) {
    this.#files = files;
    this.#names = new Set(files.all);
  }

  /** Paths that are like a pattern, in order; undefined when there are too many to look at. */
  like(pattern: string): string[] | undefined {
    return this.#files.all?.filter((path) => this.#globs.matches(pattern, path));
  }

  /** Whether one of the patterns is of a file that is there. Throws `CiFileError`. */
  exists(patterns: readonly string[], variables: Variables): boolean {
    const { all } = this.#files;
    return patterns.some((pattern) => {
      const wanted = expanded(pattern, variables).replace(/^\.?\/+/, "");
      return all === undefined || this.#names.has(wanted) || this.#globs.matchesSome(wanted, all);
    });
  }

  /** Whether one of the patterns is of a file that was changed. Throws `CiFileError`. */
  isChanged(patterns: readonly string[], variables: Variables): boolean {
    const { changed } = this.#files;
    if (changed === undefined) return true;
    return patterns.some((pattern) => this.#globs.matchesSome(expanded(pattern, variables), changed));
  }
}
