/** The reader of `extends:`: jobs merged with those that they extend. */

import type { Budget } from "./budget.ts";
import { DeepMerge } from "./extent.ts";
import { CiFileError, isMapping, type Mapping } from "./values.ts";

const depthMax = 10;

interface Extended {
  readonly job: Mapping;
  /** The generations below it, by the names of the longest line. */
  readonly line: readonly string[];
}

/** Jobs with what they `extend` below them: mappings are merged, everything else is replaced. */
export class Extends {
  readonly #file: Mapping;
  /** Many extend the same: each is worked out once. */
  readonly #known = new Map<string, Extended>();
  readonly #merging: DeepMerge;

  constructor(file: Mapping, budget: Budget) {
    this.#file = file;
    this.#merging = new DeepMerge(budget);
  }

  /** The job of a name. Throws `CiFileError`. */
  of(name: string): Mapping {
    return this.#extended(name, []).job;
  }

  #extended(name: string, above: readonly string[]): Extended {
    const known = this.#known.get(name);
    const line = known?.line ?? [];
    if (above.length + line.length > depthMax) {
      throw new CiFileError(`${[name, ...line][depthMax + 1 - above.length] ?? name}: nesting too deep in \`extends\``);
    }
    if (known !== undefined) return known;
    const job = this.#file[name] as Mapping;
    const made = job.extends === undefined ? { job, line: [] } : this.#merged(name, job, above);
    this.#known.set(name, made);
    return made;
  }

  #merged(name: string, job: Mapping, above: readonly string[]): Extended {
    // The table of keywords refuses a mapping.
    const bases = isMapping(job.extends) ? [] : [job.extends ?? []].flat().map(String);
    const unknown = bases.filter((base) => !Object.hasOwn(this.#file, base));
    if (unknown.length > 0) throw new CiFileError(`${name}: unknown keys in \`extends\` (${unknown.join(", ")})`);
    const invalid = bases.filter((base) => !isMapping(this.#file[base]));
    if (invalid.length > 0)
      throw new CiFileError(`${name}: invalid base hashes in \`extends\` (${invalid.join(", ")})`);
    if (above.includes(name)) throw new CiFileError(`${name}: circular dependency detected in \`extends\``);
    let merged: Mapping = {};
    let line: readonly string[] = [];
    for (const base of bases) {
      const below = this.#extended(base, [...above, name]);
      if (below.line.length >= line.length) line = [base, ...below.line];
      merged = this.#merging.merge(merged, below.job);
    }
    return { job: this.#merging.merge(merged, job), line };
  }
}
