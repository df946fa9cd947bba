/** The seconds of each unit. */

const secondsOf = { mo: 576_000, w: 144_000, d: 28_800, h: 3_600, m: 60, s: 1 } as const;
type Unit = keyof typeof secondsOf;

const shape = /^([+-])?\s*((?:\d+(?:\.\d+)?\s*(?:mo|w|d|h|m|s)\s*)+)$/i;
const part = /(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)\s*/giy;
/** The longest duration, in seconds. */
const secondsMax = 2 ** 31 - 1;

/**
 * Converts `3h30m`, `1w 2d` or `-1h` into seconds. Returns undefined for other texts. A bare number means hours. A day has 8
 * hours, a week 5 days, a month 4 weeks.
 */
export function parseDuration(text: string): number | undefined {
  const written = text.trim();
  if (/^\d{1,9}$/.test(written))
    return Number(written) * secondsOf.h <= secondsMax ? Number(written) * secondsOf.h : undefined;
  const match = shape.exec(written);
  if (match === null) return undefined;
  let seconds = 0;
  for (const [, number, unit] of (match[2] as string).matchAll(part)) {
    seconds += Number(number) * secondsOf[(unit as string).toLowerCase() as Unit];
  }
  const whole = Math.round(seconds);
  if (whole > secondsMax) return undefined;
  return match[1] === "-" ? -whole : whole;
}

/** Formats seconds, such as 12600 as `3h 30m`. Returns null for 0. */
export function formatDuration(seconds: number): string | null {
  const parts: string[] = [];
  let left = seconds;
  for (const [unit, length] of Object.entries(secondsOf)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.length === 0 ? null : parts.join(" ");
}
