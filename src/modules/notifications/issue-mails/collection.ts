import type { CalendarDate } from "../../../lib/datetime.ts";
import { collection } from "../../../store/index.ts";

/** One document, id 1: how far the mails about issues that are due have come. */
export interface DueMailsRecord {
  readonly id: 1;
  /** The day on which the issues are due. */
  readonly due_date: CalendarDate;
  /** Of the issues of this day, those up to this id have been told of. */
  readonly last_issue_id: number;
}

export const dueMails = collection<DueMailsRecord>()("due-mails", {});
