/** The conditions about due dates. */

import { afterAllDates, type CalendarDate, dayMs, toCalendarDate } from "../../../../lib/datetime.ts";
import type { IssueCondition } from "../filters/index.ts";
import type { DueDateWord } from "./schema.ts";

/** `due_date=week`: days in UTC, weeks from Monday to Sunday (1.3). `nowMs` since 1970. */
export function whereDue(word: DueDateWord, nowMs: number): IssueCondition {
  const day = (distance: number): CalendarDate => toCalendarDate(nowMs + distance * dayMs);
  switch (word) {
    case "0":
      return between(afterAllDates, afterAllDates);
    case "any":
      return { not: between(afterAllDates, afterAllDates) };
    case "today":
      return between(day(0), day(0));
    case "tomorrow":
      return between(day(1), day(1));
    case "overdue":
      return between(undefined, day(-1));
    case "week": {
      const sinceMonday = (new Date(nowMs).getUTCDay() + 6) % 7;
      return between(day(-sinceMonday), day(6 - sinceMonday));
    }
    case "month":
      return between(`${day(0).slice(0, 7)}-01`, lastOfMonth(nowMs, 0));
    case "next_month_and_previous_two_weeks":
      return between(day(-14), lastOfMonth(nowMs, 1));
  }
}

function between(from: CalendarDate | undefined, to: CalendarDate): IssueCondition {
  return { index: "due_date", from, to };
}

/** The last day of this month, or of one that many later. */
function lastOfMonth(nowMs: number, later: number): CalendarDate {
  const now = new Date(nowMs);
  return toCalendarDate(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later + 1, 0));
}
