/** The reader of `parallel:`: the copies of a job. */

import type { Budget } from "./budget.ts";
import { isMapping, textsOf } from "./values.ts";

/** One of the jobs that `parallel:` makes of one. */
export interface Copy {
  /** The end of the job's name: ` 2/3`, or `: [linux, 18]`. */
  readonly suffix: string;
  /** The variables of the matrix. */
  readonly variables: Readonly<Record<string, string>>;
  /** The number of the copy, from 1. */
  readonly index: number;
  readonly total: number;
}

/** Characters of a name that are written in one step. */
const charactersPerStep = 100;

/** `parallel: 3` or `parallel: { matrix: [{ OS: [linux, mac] }] }`; undefined for none. */
export function readParallel(value: unknown, budget: Budget): Copy[] | undefined {
  if (typeof value === "number") return numbered(value);
  if (!isMapping(value)) return undefined;
  const named = combinationsOf(value.matrix, budget).map((row) => [suffixOf(row), row] as const);
  // Jobs of a pipeline are distinguished by name.
  const rows = [...new Map(named)];
  return rows.map(([suffix, variables], at) => ({ suffix, variables, index: at + 1, total: rows.length }));
}

/** The suffix of a job's name for a combination. */
export function suffixOf(combination: Readonly<Record<string, string>>): string {
  return `: [${Object.values(combination).join(", ")}]`;
}

function numbered(total: number): Copy[] {
  return Array.from({ length: total }, (_, at) => ({
    suffix: ` ${at + 1}/${total}`,
    variables: {},
    index: at + 1,
    total,
  }));
}

/** Every combination of the values of each row. */
export function combinationsOf(matrix: unknown, budget: Budget): Record<string, string>[] {
  const rows = Array.isArray(matrix) ? matrix.filter(isMapping) : [];
  return rows.flatMap((mapping) => {
    const row = Object.entries(mapping).map(([key, values]) => [key, textsOf(values)] as const);
    const size = row.reduce((product, [, { length }]) => product * length, 1);
    const characters = row.reduce((sum, [, values]) => sum + Math.max(...values.map(({ length }) => length)), 0);
    budget.charge(size * (row.length + characters / charactersPerStep));
    return Array.from({ length: size }, (_, number) => combinationOf(row, number));
  });
}

/** Returns one of all combinations of a row's values, by its number from 0: the values of the last key change first. */
function combinationOf(row: readonly (readonly [string, readonly string[]])[], number: number): Record<string, string> {
  let rest = number;
  const entries = row.toReversed().map(([key, values]) => {
    const value = values[rest % values.length] as string;
    rest = Math.floor(rest / values.length);
    return [key, value] as const;
  });
  return Object.fromEntries(entries.reverse());
}
