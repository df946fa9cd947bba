import { type Steps, stepLength } from "./yield.ts";

/** Sorts many items in steps. The sort is stable. */
export function* sorting<T>(items: readonly T[], compare: (one: T, other: T) => number): Steps<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += stepLength) {
    runs.push(items.slice(at, at + stepLength).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one, other] = [runs[at] as T[], runs[at + 1]];
      longer.push(other === undefined ? one : yield* merging(one, other, compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merging<T>(one: T[], other: T[], compare: (one: T, other: T) => number): Steps<T[]> {
  // Parts that are in order already are only concatenated.
  if (compare(one.at(-1) as T, other[0] as T) <= 0) return one.concat(other);
  const merged: T[] = [];
  for (let [left, right] = [0, 0]; left < one.length || right < other.length; ) {
    const isRight = left === one.length || (right < other.length && compare(one[left] as T, other[right] as T) > 0);
    if (isRight) {
      merged.push(other[right] as T);
      right += 1;
    } else {
      merged.push(one[left] as T);
      left += 1;
    }
    if (merged.length % stepLength === 0) yield;
  }
  return merged;
}
