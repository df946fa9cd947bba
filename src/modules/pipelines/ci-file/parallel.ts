import { CiFileError, isMapping, textsOf } from "./values.ts";

/** One of the jobs that `parallel:` makes of one. */
export interface Copy {
  /** Of the job's name: ` 2/3`, or `: [linux, 18]`. */
  readonly suffix: string;
  /** Of the matrix. */
  readonly variables: Readonly<Record<string, string>>;
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

const copiesMax = 200;

/** `parallel: 3` or `parallel: { matrix: [{ OS: [linux, mac] }] }`; undefined for none. Throws `CiFileError`. */
export function copiesOf(value: unknown, label: string): Copy[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return numbered(value, label);
  if (!isMapping(value)) throw new CiFileError(`${label} should be an integer or a hash`);
  const unknown = Object.keys(value).filter((key) => key !== "matrix");
  if (unknown.length > 0) throw new CiFileError(`${label} config contains unknown keys: ${unknown.join(", ")}`);
  if (value.matrix === undefined) throw new CiFileError(`${label} config missing required keys: matrix`);
  const named = combinationsOf(value.matrix, `${label}:matrix`).map((row) => [suffixOf(row), row] as const);
  // Names tell jobs of a pipeline apart.
  const rows = [...new Map(named)];
  return rows.map(([suffix, variables], at) => ({ suffix, variables, index: at + 1, total: rows.length }));
}

/** What a combination adds to the name of its job. */
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
export function combinationsOf(matrix: unknown, label: string): Record<string, string>[] {
  const rows = Array.isArray(matrix) ? matrix.flat(10) : undefined;
  if (rows === undefined || !rows.every(isMapping))
    throw new CiFileError(`${label} config should be an array of hashes`);
  const valued = rows.map((row) => Object.entries(row).map(([key, values]) => [key, textsOf(values, label)] as const));
  if (valued.some((row) => row.length === 0 || row.some(([, values]) => values.length === 0))) {
    throw new CiFileError(`${label} config should be a hash of key value pairs, value can be an array`);
  }
  const count = valued.reduce((sum, row) => sum + row.reduce((product, [, { length }]) => product * length, 1), 0);
  if (count > copiesMax) throw new CiFileError(`${label} config generates too many jobs (maximum is ${copiesMax})`);
  return valued.flatMap((row) =>
    row.reduce<Record<string, string>[]>(
      (made, [key, values]) => made.flatMap((before) => values.map((value) => ({ ...before, [key]: value }))),
      [{}],
    ),
  );
}
