/** The times of a cron pattern in a time zone. */

import { Cron } from "croner";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { zoneNamed } from "./time-zones.ts";

const fieldCount = 5;
const nickname = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
/** The number of times that a daylight saving time may leave out one after the other. */
const gapsMax = 100;

/** The next time after `from`, in milliseconds; undefined: there is none. Throws for a pattern or zone that is none. */
function nextTime(pattern: string, zone: string, from: number): number | undefined {
  const cron = new Cron(pattern === "@midnight" ? "@daily" : pattern, { timezone: zone });
  let next = cron.nextRun(new Date(from));
  // A time that the clocks skip is moved behind the gap by the library; here it is none.
  for (let tries = 0; next !== null && !cron.match(next) && tries < gapsMax; tries += 1) next = cron.nextRun(next);
  return next?.getTime();
}

/** True for five fields, or a word such as `@daily`. */
export function isCronPattern(text: string): boolean {
  const pattern = text.trim();
  if (!nickname.test(pattern) && pattern.split(/\s+/).length !== fieldCount) return false;
  try {
    nextTime(pattern, "UTC", 0);
    return true;
  } catch {
    return false;
  }
}

/** The next due time after `from`; null: there is none. The pattern and the zone are valid. */
export function nextRunAt(pattern: string, zoneName: string, from: number): DateTime | null {
  const next = nextTime(pattern.trim(), zoneNamed(zoneName) ?? "UTC", from);
  return next === undefined ? null : toDateTime(next);
}
