/** The questions of `rules: changes` and `rules: exists` about the files of a commit. */

import { ExpansionBudget, expandVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Globs, patternLengthMax } from "./rules/globs.ts";
import type { Changes, Exists } from "./rules/rules.ts";
import { CiFileError } from "./values.ts";

/** Paths that were changed since a ref; undefined when there are too many to look at. */
export type Comparison = readonly string[] | undefined | "no ref";

/** Paths of all files of another project; undefined when there are too many to look at. */
export type ProjectFiles = readonly string[] | undefined | "no project" | "no ref";

/** The files and projects that rules need beside the files of their commit. */
export interface Answers {
  /** Paths by the ref since which they were changed. */
  readonly comparisons: ReadonlyMap<string, Comparison>;
  /** Paths of other projects, by `placeKey`. */
  readonly elsewhere: ReadonlyMap<string, ProjectFiles>;
}

/** The files that `rules: changes` and `exists` match; `withAnswers` adds what is asked for. */
export interface RepositoryFiles extends Partial<Answers> {
  /** Paths of all files; undefined when there are too many to look at. */
  readonly all: readonly string[] | undefined;
  /** Paths that the push changed; undefined when there is nothing to compare with, or too much. */
  readonly changed: readonly string[] | undefined;
}

/** A rule names a ref or project that is not there; each place of rules says that in its own way. */
export class RuleError extends CiFileError {
  override readonly name = "RuleError";
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

/** A project, at a ref or at its default branch. */
interface Place {
  readonly project: string;
  readonly ref: string | undefined;
}

function placeKey({ project, ref }: Place): string {
  return JSON.stringify([project, ref]);
}

/** A rule asks for the files of a project that were not read yet. */
class MissingFiles extends Error {
  override readonly name = "MissingFiles";
  readonly place: Place;

  constructor(place: Place) {
    super(`no files of ${place.project}`);
    this.place = place;
  }
}

/** Refs that the rules of one file compare with: each is a walk through a history. */
const comparisonsMax = 20;
/** Other projects, each at a ref, whose files the rules of one file ask for. */
const placesMax = 20;

/** The repositories in which answers are looked up. */
export interface Lookups {
  changedSince(ref: string): Promise<Comparison>;
  filesOf(project: string, ref: string | undefined): Promise<ProjectFiles>;
}

/**
 * Asks rules, which cannot wait for a repository: they are asked again with each answer that they turn out to need. Throws
 * `CiFileError`.
 */
export async function withAnswers<R>(lookups: Lookups, ask: (answers: Answers) => R | Promise<R>): Promise<R> {
  const comparisons = new Map<string, Comparison>();
  const elsewhere = new Map<string, ProjectFiles>();
  for (;;) {
    try {
      return await ask({ comparisons, elsewhere });
    } catch (error) {
      if (error instanceof MissingComparison) {
        if (comparisons.size >= comparisonsMax) {
          throw new CiFileError(`rules:changes:compare_to names too many refs (maximum is ${comparisonsMax})`);
        }
        comparisons.set(error.ref, await lookups.changedSince(error.ref));
      } else if (error instanceof MissingFiles) {
        if (elsewhere.size >= placesMax) {
          throw new CiFileError(`rules:exists:project names too many projects (maximum is ${placesMax})`);
        }
        elsewhere.set(placeKey(error.place), await lookups.filesOf(error.place.project, error.place.ref));
      } else throw error;
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
  exists({ paths, project, ref }: Exists, variables: Variables): boolean {
    if (project !== undefined && paths.length === 0) return false;
    const all = project === undefined ? this.#files.all : this.#filesElsewhere(project, ref, variables);
    return paths.some((pattern) => {
      const wanted = this.#patternOf(pattern, variables).replace(/^\.?\/+/, "");
      return all === undefined || this.#globs.hasPath(wanted, all) || this.#globs.matchesSome(wanted, all);
    });
  }

  #filesElsewhere(project: string, ref: string | undefined, variables: Variables): readonly string[] | undefined {
    const place = {
      project: this.#patternOf(project, variables),
      ref: ref === undefined ? undefined : this.#patternOf(ref, variables),
    };
    const { elsewhere } = this.#files;
    const key = placeKey(place);
    if (elsewhere?.has(key) !== true) throw new MissingFiles(place);
    const found = elsewhere.get(key);
    if (found === "no project") {
      throw new RuleError(`rules:exists:project \`${place.project}\` is not a valid project path`);
    }
    if (found === "no ref") {
      const named = `\`${place.ref ?? ""}\` is not a valid ref in project \`${place.project}\``;
      throw new RuleError(`rules:exists:ref ${named}`);
    }
    return found;
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
    if (found === "no ref") throw new RuleError("rules:changes:compare_to is not a valid ref");
    return found;
  }

  /** The pattern itself has room in it, and what its variables make of it. */
  #patternOf(pattern: string, variables: Variables): string {
    return expandVariables(pattern, variables, new ExpansionBudget(this.#globs.budget, 2 * patternLengthMax));
  }
}
