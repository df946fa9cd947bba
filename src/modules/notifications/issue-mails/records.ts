import { collection, field, type RecordOf, record } from "../../../store/index.ts";

/** One document, id 1: how far the mails about issues that are due have come. */
export const DueMailProgressRecord = record({
  id: field.oneOf(1),
  /** The day on which the issues are due. */
  due_date: field.day,
  /** The last issue of this day whose mails were queued; those with smaller ids are done. */
  last_issue_id: field.whole,
});
export type DueMailProgressRecord = RecordOf<typeof DueMailProgressRecord>;

export const dueMailProgress = collection("due-mail-progress", DueMailProgressRecord, { sequence: undefined });
