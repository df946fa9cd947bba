import type { Budget } from "./budget.ts";
import { CiFileError, isMapping, type Mapping } from "./values.ts";

export const tooBig = "The parsed YAML is too big";

/** What is wrong with a CI file, of what was thrown while it was worked out; undefined: it is not the file. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof CiFileError) return error.message;
  // What nests deeper than the stack is, or does not fit into memory: no commit is refused for its CI file.
  return error instanceof RangeError ? tooBig : undefined;
}

/** Entries of mappings that one file may have copied: they stay in memory. */
const copiesMax = 200_000;
const stepsPerMapping = 3;
const stepsPerCopy = 0.2;

/** Puts mappings above others, as `extends` and `include` do: what is a mapping in both is merged, all else is replaced. */
export class Merging {
  readonly #budget: Budget;
  #copies = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Throws `CiFileError` when it has been too much altogether. */
  merge(below: Mapping, above: Mapping): Mapping {
    const copies = Object.keys(below).length + Object.keys(above).length;
    this.#budget.charge(stepsPerMapping + copies * stepsPerCopy);
    this.#copies += copies;
    if (this.#copies > copiesMax) throw new CiFileError(tooBig);
    const both: [string, Mapping][] = [];
    for (const [key, value] of Object.entries(above)) {
      const under = Object.hasOwn(below, key) ? below[key] : undefined;
      if (isMapping(under) && isMapping(value)) both.push([key, this.merge(under, value)]);
    }
    return { ...below, ...above, ...Object.fromEntries(both) };
  }
}

/** Of one text or job: no deeper. */
const depthMax = 100;
const stepsPerNode = 0.5;

/**
 * What a file stands for. Aliases share what they name, and `extends` and `default` repeat it in every job, so a small file
 * can stand for a huge one: more than was agreed on is no file that somebody wrote.
 */
export class Extent {
  readonly #budget: Budget;
  #nodes: number;
  #signs: number;

  constructor({ nodes, signs }: { readonly nodes: number; readonly signs: number }, budget: Budget) {
    this.#nodes = nodes;
    this.#signs = signs;
    this.#budget = budget;
  }

  /** Counts a value with everything in it. Throws `CiFileError`. */
  add(value: unknown, depth = 0): void {
    this.#nodes -= 1;
    if (typeof value === "string") this.#signs -= value.length;
    if (this.#nodes < 0 || this.#signs < 0 || depth > depthMax) throw new CiFileError(tooBig);
    // Whoever counts a value goes through it at least once more.
    this.#budget.charge(isMapping(value) ? stepsPerMapping : stepsPerNode);
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) this.add(inner, depth + 1);
  }
}
