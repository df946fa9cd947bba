/** The reader of `extends:`: jobs merged with those that they extend. */

import type { Budget } from "./budget.ts";
import { DeepMerge } from "./extent.ts";
import { CiFileError, isMapping, type Mapping, textsOf } from "./values.ts";

const depthMax = 10;

interface Extended {
  readonly job: Mapping;
  /** The number of generations below it. */
  readonly height: number;
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
    return this.#extended(name, name, 0).job;
  }

  #extended(name: string, asked: string, depth: number): Extended {
    const known = this.#known.get(name);
    if (depth + (known?.height ?? 0) > depthMax) throw new CiFileError(`${asked}: nesting too deep in \`extends\``);
    if (known !== undefined) return known;
    const job = this.#file[name] as Mapping;
    const made =
      job.extends === undefined || job.extends === null ? { job, height: 0 } : this.#merged(name, job, asked, depth);
    this.#known.set(name, made);
    return made;
  }

  #merged(name: string, job: Mapping, asked: string, depth: number): Extended {
    let merged: Mapping = {};
    let height = 0;
    for (const base of textsOf(job.extends, `jobs:${name}:extends`)) {
      if (!Object.hasOwn(this.#file, base) || !isMapping(this.#file[base]))
        throw new CiFileError(`${name}: unknown keys in \`extends\` (${base})`);
      const below = this.#extended(base, asked, depth + 1);
      height = Math.max(height, below.height + 1);
      merged = this.#merging.merge(merged, below.job);
    }
    const { extends: _, ...own } = this.#merging.merge(merged, job);
    return { job: own, height };
  }
}
