/** The dates that an epic has from its milestones. */

import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { issues } from "../issues/records.ts";
import { milestones } from "../milestones/records.ts";
import { remainingIds } from "../pending-unlinks/index.ts";
import type { EpicRecord } from "./records.ts";

/** The dates of an epic that come from the milestones of its issues. */
export interface MilestoneDates {
  readonly start: CalendarDate | null;
  readonly due: CalendarDate | null;
}

/** The first start and the last end among the milestones of the issues in the epic; null: none of them has one. */
export function milestoneDates(store: Store, { id }: EpicRecord): MilestoneDates {
  const found = new Set<number>();
  for (const issueId of store.of(issues).by.epic_id.find(id)) {
    const milestoneId = store.of(issues).get(issueId)?.milestone_id;
    if (milestoneId !== null && milestoneId !== undefined) found.add(milestoneId);
  }
  let start: CalendarDate | null = null;
  let due: CalendarDate | null = null;
  for (const milestoneId of remainingIds(store, "milestone", [...found])) {
    const { start_date = null, due_date = null } = store.of(milestones).get(milestoneId) ?? {};
    if (start_date !== null && (start === null || start_date < start)) start = start_date;
    if (due_date !== null && (due === null || due_date > due)) due = due_date;
  }
  return { start, due };
}
