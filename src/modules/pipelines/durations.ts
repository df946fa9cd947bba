const unitsMs: readonly (readonly [pattern: RegExp, ms: number])[] = [
  [/^(s|sec|secs|second|seconds)$/, 1000],
  [/^(m|min|mins|minute|minutes)$/, 60_000],
  [/^(h|hr|hrs|hour|hours)$/, 3_600_000],
  [/^(d|day|days)$/, 86_400_000],
  [/^(w|wk|week|weeks)$/, 604_800_000],
  [/^(mo|mos|month|months)$/, 2_592_000_000],
  [/^(y|yr|yrs|year|years)$/, 31_536_000_000],
];
const weekMs = 604_800_000;

/** `1 hour 30 minutes`, `90` seconds → milliseconds, a week at most unless said; 0 for what says nothing. */
export function durationMsOf(text: string | null, longestMs = weekMs): number {
  let total = 0;
  for (const [, number, unit = ""] of (text ?? "").toLowerCase().matchAll(/(\d{1,9})\s*([a-z]*)/g)) {
    total += Number(number) * (unitsMs.find(([pattern]) => pattern.test(unit === "" ? "s" : unit))?.[1] ?? 0);
  }
  return Math.min(total, longestMs);
}
