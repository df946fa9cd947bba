const pattern =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,3}))?S)?)?$/;
const textLengthMax = 64;

/**
 * Returns a time in milliseconds since 1970, later by an ISO 8601 duration such as `P1DT2H`. Months and years follow the
 * calendar in UTC. Returns undefined for an invalid text and for a time beyond all dates.
 */
export function afterDuration(fromMs: number, text: string): number | undefined {
  const found = text.length > textLengthMax ? null : pattern.exec(text);
  if (found === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = found.slice(1, 8).map((part) => Number(part ?? 0)) as [
    ...[number, number, number, number, number, number, number],
  ];
  const date = new Date(fromMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + years * 12 + months);
  // In a shorter month, the 31st becomes the last day.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  const clock = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds;
  const later = date.getTime() + clock * 1000 + Number((found[8] ?? "").padEnd(3, "0"));
  return Number.isFinite(later) ? later : undefined;
}
