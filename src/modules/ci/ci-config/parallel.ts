/** The reader of `parallel:`: the copies of a job. */

import type { Budget } from "./budget.ts";
import { CiFileError, isMapping, textsOf } from "./values.ts";

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

const copiesMax = 200;
/** Characters of a name that are written in one step. */
const charactersPerStep = 100;

/** `parallel: 3` or `parallel: { matrix: [{ OS: [linux, mac] }] }`; undefined for none. Throws `CiFileError`. */
export function readParallel(value: unknown, label: string, budget: Budget): Copy[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return numbered(value, label);
  if (!isMapping(value)) throw new CiFileError(`${label} should be an integer or a hash`);
  const unknown = Object.keys(value).filter((key) => key !== "matrix");
  if (unknown.length > 0) throw new CiFileError(`${label} config contains unknown keys: ${unknown.join(", ")}`);
  if (value.matrix === undefined) throw new CiFileError(`${label} config missing required keys: matrix`);
  const named = combinationsOf(value.matrix, `${label}:matrix`, budget).map((row) => [suffixOf(row), row] as const);
  // Jobs of a pipeline are distinguished by name.
  const rows = [...new Map(named)];
  return rows.map(([suffix, variables], at) => ({ suffix, variables, index: at + 1, total: rows.length }));
}

/** The suffix of a job's name for a combination. */
export function suffixOf(combination: Readonly<Record<string, string>>): string {
  return `: [${Object.values(combination).join(", ")}]`;
}

function numbered(total: number, label: string): Copy[] {
  if (!Number.isInteger(total)) throw new CiFileError(`${label} config must be an integer`);
  if (total < 1) throw new CiFileError(`${label} config must be greater than or equal to 1`);
  if (total > copiesMax) throw new CiFileError(`${label} config must be less than or equal to ${copiesMax}`);
  return Array.from({ length: total }, (_, at) => ({
    suffix: ` ${at + 1}/${total}`,
    variables: {},
    index: at + 1,
    total,
  }));
}

/** Every combination of the values of each row; they are counted before they are made. Throws `CiFileError`. */
export function combinationsOf(matrix: unknown, label: string, budget: Budget): Record<string, string>[] {
  const rows = Array.isArray(matrix) ? matrix.flat(10) : undefined;
  if (rows === undefined || !rows.every(isMapping))
    throw new CiFileError(`${label} config should be an array of hashes`);
  const valued = rows.map((row) => Object.entries(row).map(([key, values]) => [key, textsOf(values, label)] as const));
  if (valued.some((row) => row.length === 0 || row.some(([, values]) => values.length === 0))) {
    throw new CiFileError(`${label} config should be a hash of key value pairs, value can be an array`);
  }
  const sizes = valued.map((row) => row.reduce((product, [, { length }]) => product * length, 1));
  const count = sizes.reduce((sum, size) => sum + size, 0);
  if (count > copiesMax) throw new CiFileError(`${label} config generates too many jobs (maximum is ${copiesMax})`);
  return valued.flatMap((row, at) => {
    const size = sizes[at] as number;
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
