const unitSeconds: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^(s|sec|secs|second|seconds)$/, 1],
  [/^(m|min|mins|minute|minutes)$/, 60],
  [/^(h|hr|hrs|hour|hours)$/, 3600],
  [/^(d|day|days)$/, 86_400],
  [/^(w|wk|wks|week|weeks)$/, 604_800],
  [/^(mo|mos|mon|mons|month|months)$/, 2_592_000],
  [/^(y|yr|yrs|year|years)$/, 31_536_000],
];
const weekMs = 604_800_000;

/** Converts `1 hour 30 minutes`, `1h30m`, `3600` or `1:30:00` into seconds. Returns undefined for other texts. */
export function durationSecondsOf(text: string): number | undefined {
  const words = text.toLowerCase().trim().slice(0, 255);
  const clock = /^(?:(\d{1,5}):)?(\d{1,5}):(\d{1,2})$/.exec(words);
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  let total = 0;
  let rest = words.replace(/\band\b|,/g, " ").trim();
  if (rest === "") return undefined;
  while (rest !== "") {
    const [whole, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]*)\s*/.exec(rest) ?? [];
    const seconds = unit === "" ? 1 : unitSeconds.find(([pattern]) => pattern.test(unit ?? ""))?.[1];
    if (whole === undefined || seconds === undefined) return undefined;
    total += Number(number) * seconds;
    rest = rest.slice(whole.length);
  }
  return Math.round(total);
}

/** Returns milliseconds, by default at most a week; 0 for a text that is no duration. */
export function durationMsOf(text: string | null, longestMs = weekMs): number {
  return Math.min((durationSecondsOf(text ?? "") ?? 0) * 1000, longestMs);
}
