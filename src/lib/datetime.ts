/** A point in time as stored and sent: UTC with milliseconds, `2024-10-02T08:11:30.114Z`. Such texts sort by time. */
export type DateTime = string;
/** A day, `2024-10-02`. */
export type CalendarDate = string;

/** Sorts after every date, so that records without one come last. */
export const afterAllDates: CalendarDate = "9999-12-31";

export const dayMs = 86_400_000;

/** Converts milliseconds since 1970 into `2024-10-02T08:11:30.114Z`. */
export function toDateTime(ms: number): DateTime {
  return new Date(ms).toISOString();
}

const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** Formats a day as `May 9, 2024`. */
export function toLongDate(day: CalendarDate): string {
  const [year = "", month, date] = day.split("-");
  return `${months[Number(month) - 1]} ${Number(date)}, ${year}`;
}

/** Formats a day as `Aug 9, 2024`. */
export function toShortDate(day: CalendarDate): string {
  const [month = "", ...rest] = toLongDate(day).split(" ");
  return [month.slice(0, 3), ...rest].join(" ");
}

/** Formats a time as `2024-10-02 08:11:30 UTC`. */
export function toReadableTime(ms: number): string {
  const time = toDateTime(ms);
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

let lastDay = { number: Number.NaN, text: "" };

/** Returns the day of a point in time, in UTC. Caches the last one, since every request needs today's. */
export function toCalendarDate(ms: number): CalendarDate {
  const number = Math.floor(ms / dayMs);
  if (number !== lastDay.number) lastDay = { number, text: new Date(ms).toISOString().slice(0, 10) };
  return lastDay.text;
}

const shape =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(?:([zZ])|([+-])(\d{2}):?(\d{2})?)?)?$/;

/**
 * Parses an ISO 8601 time (rest-conventions 2.4). A date alone means midnight UTC, an offset counts, and a space may replace
 * the `T`. Returns undefined for anything else, such as day 32.
 */
export function parseDateTime(text: string): DateTime | undefined {
  const match = shape.exec(text.trim());
  if (match === null) return undefined;
  const [, year, writtenMonth = "", writtenDay = "", hour, minute, second, fraction] = match;
  const [month, day] = [writtenMonth.padStart(2, "0"), writtenDay.padStart(2, "0")];
  const [sign, offsetHour, offsetMinute] = match.slice(9);
  if (parseCalendarDate(`${year}-${month}-${day}`) === undefined) return undefined;
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  const [oh, om] = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)];
  if (h > 23 || m > 59 || s > 59 || oh > 23 || om > 59) return undefined;
  const offsetMinutes = (sign === "-" ? -1 : 1) * (oh * 60 + om);
  const ms = Number((fraction ?? "").padEnd(3, "0").slice(0, 3));
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`);
  const time = midnight + ((h * 60 + m - offsetMinutes) * 60 + s) * 1000 + ms;
  const result = new Date(time);
  return result.getUTCFullYear() >= 0 && result.getUTCFullYear() <= 9999 ? result.toISOString() : undefined;
}

/** Returns the day of a date, or the written day of a datetime with any offset; undefined for anything else. */
export function parseWrittenDate(text: string): CalendarDate | undefined {
  const [, year, month = "", day = ""] = parseDateTime(text) === undefined ? [] : (shape.exec(text.trim()) ?? []);
  return year === undefined ? undefined : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Parses `YYYY-MM-DD`. Returns undefined for anything else, and for days that do not exist. */
export function parseCalendarDate(text: string): CalendarDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isNaN(time) || toCalendarDate(time) !== text ? undefined : text;
}
