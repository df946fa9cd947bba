/** Counts the values of parsed JSON: the value itself, and all array items and object members in it. */
export function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) count += valuesIn(inner);
  return count;
}
