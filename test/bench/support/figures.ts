/** Something measured beside something else in one run. */
export interface Bench {
  readonly title: string;
  /** Prints what it found. Throws only when something did not work, never because something was slow. */
  run(options: { readonly scale: number }): Promise<void>;
}

/** One row of a comparison: measured once in every round. */
export type Measure<M> = (round: number) => Promise<M>;

export interface Rounds<K extends string, M> {
  /** Results of the rounds that count, by row. */
  readonly of: Readonly<Record<K, readonly M[]>>;
  /** The range of the limit row within these rounds, relative to its smallest. */
  readonly moved: number;
  readonly count: number;
}

const roundsWanted = 3;
const roundsMax = 8;
/** A comparison is void when the row that should stay the same moved by more than this. */
const movedMax = 0.15;

/**
 * Measures all rows, one after the other, round after round, in turning order, until the limit row held still for
 * three rounds in a row: those count. On a machine that never calms down the calmest three count, and are void.
 */
export async function interleave<K extends string, M>(
  rows: Readonly<Record<K, Measure<M>>>,
  limit: (results: Readonly<Record<K, M>>) => number,
): Promise<Rounds<K, M>> {
  const names = Object.keys(rows) as K[];
  const done: Record<K, M>[] = [];
  let best: { from: number; moved: number } | undefined;
  while (done.length < roundsMax) {
    const results: Partial<Record<K, M>> = {};
    for (const name of done.length % 2 === 0 ? names : names.toReversed()) {
      results[name] = await rows[name](done.length);
    }
    done.push(results as Record<K, M>);
    const from = done.length - roundsWanted;
    if (from < 0) continue;
    const limits = done.slice(from).map(limit);
    const moved = Math.max(...limits) / Math.min(...limits) - 1;
    if (best === undefined || moved < best.moved) best = { from, moved };
    if (moved <= movedMax) break;
  }
  const { from, moved } = best as { from: number; moved: number };
  const counted = done.slice(from, from + roundsWanted);
  const of = Object.fromEntries(names.map((name) => [name, counted.map((round) => round[name])])) as Record<K, M[]>;
  return { of, moved, count: done.length };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** The median over rounds of what one row is to another in the same round. */
export function ratio<M>(subject: readonly M[], limit: readonly M[], value: (measured: M) => number): number {
  return median(subject.map((measured, round) => value(measured) / value(limit[round] as M)));
}

/** `0.47, wanted at least 0.40: held`. */
export function verdict(found: number, direction: "at least" | "at most", bound: number, unit = ""): string {
  const isHeld = direction === "at least" ? found >= bound : found <= bound;
  return `${digits(found)}${unit}, wanted ${direction} ${bound}${unit}: ${isHeld ? "held" : "MISSED"}`;
}

/** Says on how many rounds the figures rest, and whether they may be relied on. */
export function calmness({ moved, count }: Rounds<string, unknown>): string {
  const said = `the limit row moved ${(moved * 100).toFixed(0)} % over the ${roundsWanted} rounds that count, of ${count}`;
  return moved <= movedMax ? said : `VOID: ${said}; more than ${movedMax * 100} % says that the machine was busy`;
}

/** Three digits that matter. */
export function digits(number: number): string {
  if (!Number.isFinite(number)) return "-";
  if (number >= 100) return number.toFixed(0);
  return number.toFixed(number >= 10 ? 1 : 2);
}

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  console.log(line(head));
  for (const row of rows) console.log(line(row));
}
