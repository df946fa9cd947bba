import { type SourceRef, sourceKey, sourceOf } from "../../../domain/source.ts";
import { afterAllDates } from "../../../lib/datetime.ts";
import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  text,
  unique,
} from "../../../store/index.ts";
import { titleKey } from "../labels/records.ts";

/** A milestone of a project or a group (issues-labels-milestones-epics 3). */
export const MilestoneRecord = record({
  id: field.whole,
  /** Counts from 1 in each project or group. */
  iid: field.whole,
  source_type: field.oneOf("group", "project"),
  source_id: field.whole,
  title: field.text,
  description: field.nullable(field.text),
  state: field.oneOf("active", "closed"),
  start_date: field.nullable(field.day),
  due_date: field.nullable(field.day),
  created_at: field.moment,
  updated_at: field.moment,
});
export type MilestoneRecord = RecordOf<typeof MilestoneRecord>;

export const milestones = collection("milestones", MilestoneRecord, {
  indexes: {
    iid: unique((milestone) => iidInSourceKey(sourceOf(milestone), milestone.iid)),
    title_in_source: unique((milestone) => titleKey(sourceOf(milestone), milestone.title)),
    title: multi((milestone) => [milestone.title]),
    source: multi((milestone) => [sourceKey(sourceOf(milestone))]),
    state: bitmap((milestone) => [milestone.state]),
    id: ordered((milestone) => milestone.id),
    start_date: ordered((milestone) => milestone.start_date ?? afterAllDates),
    due_date: ordered((milestone) => milestone.due_date ?? afterAllDates),
    updated_at: ordered((milestone) => milestone.updated_at),
    words: text({ title: (milestone) => milestone.title, description: (milestone) => milestone.description ?? "" }),
  },
  iidSequence: ({ source_type, source_id }) => `milestones of ${source_type} ${source_id}`,
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } } },
});

export function iidInSourceKey(source: SourceRef, iid: number): string {
  return `${sourceKey(source)} ${iid}`;
}
