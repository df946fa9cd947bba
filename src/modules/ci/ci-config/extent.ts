/** The merge of mappings, with a limit for what it makes. */

import type { Budget } from "./budget.ts";
import { CiFileError, CiFileFaults, isMapping, type Mapping } from "./values.ts";

export const tooBig = "The parsed YAML is too big";

/** Returns the fault of a CI file behind an error that reading it threw; undefined: the file is not to blame. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof CiFileError) return error.message;
  // The file nests too deep for the stack, or is too large for memory. No commit is refused for its CI file.
  return error instanceof RangeError ? tooBig : undefined;
}

/** As `faultOf`, with all faults that were found. */
export function faultsOf(error: unknown): readonly string[] | undefined {
  if (error instanceof CiFileFaults) return error.faults;
  const fault = faultOf(error);
  return fault === undefined ? undefined : [fault];
}

/** Entries of mappings that one file may have copied: they stay in memory. */
const copiesMax = 200_000;
const stepsPerMapping = 3;
const stepsPerCopy = 0.2;

/** Merges mappings as `extends` and `include` do: a mapping in both is merged, all else is replaced. */
export class DeepMerge {
  readonly #budget: Budget;
  #copies = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Throws `CiFileError` when all merges together are too large. */
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

/** The deepest nesting of one text or job. */
const depthMax = 100;
const stepsPerNode = 0.5;

/**
 * Limits the size that a file expands to. Aliases share a value, and `extends` and `default` repeat it in every job, so
 * a small file can expand to a huge one. No person writes a file beyond the limits.
 */
export class Extent {
  readonly #budget: Budget;
  #nodes: number;
  #characters: number;

  constructor({ nodes, characters }: { readonly nodes: number; readonly characters: number }, budget: Budget) {
    this.#nodes = nodes;
    this.#characters = characters;
    this.#budget = budget;
  }

  /** Counts a value with everything in it. Throws `CiFileError`. */
  add(value: unknown, depth = 0): void {
    this.#nodes -= 1;
    if (typeof value === "string") this.#characters -= value.length;
    if (this.#nodes < 0 || this.#characters < 0 || depth > depthMax) throw new CiFileError(tooBig);
    // The caller goes through each counted value at least once more.
    this.#budget.charge(isMapping(value) ? stepsPerMapping : stepsPerNode);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.add(item, depth + 1);
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      this.#characters -= key.length;
      this.add(inner, depth + 1);
    }
  }
}
