import { dayMs } from "../lib/datetime.ts";

const weekMs = 7 * dayMs;
const hourMs = dayMs / 24;
/** The first Monday after 1970-01-01, UTC. */
const firstMonday = 4 * dayMs;

/** The hours of a day, and their shares of a week's work. */
const weekday = [
  { hours: 7, share: 0.3 },
  { hours: 11, share: 16.5 },
  { hours: 6, share: 1.2 },
] as const;
const weekendDay = [
  { hours: 8, share: 0.1 },
  { hours: 10, share: 0.7 },
  { hours: 6, share: 0.3 },
] as const;
const week = [weekday, weekday, weekday, weekday, weekday, weekendDay, weekendDay].flat();
const sharesOfWeek = week.reduce((sum, { share }) => sum + share, 0);

/**
 * Moves times that are spread evenly over a week into working hours (UTC), in the same order. A few stay at night and at
 * weekends.
 */
export function workingTime(time: number): number {
  const start = Math.floor((time - firstMonday) / weekMs) * weekMs + firstMonday;
  let left = ((time - start) / weekMs) * sharesOfWeek;
  let at = start;
  for (const { hours, share } of week) {
    if (left < share) return at + (left / share) * hours * hourMs;
    left -= share;
    at += hours * hourMs;
  }
  return at;
}
