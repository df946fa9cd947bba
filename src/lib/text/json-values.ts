/** Counts the values of parsed JSON: itself, and each entry of an array and each member of an object in it. */
export function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) count += valuesIn(inner);
  return count;
}
