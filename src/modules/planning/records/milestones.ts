import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../../store/index.ts";
import { type SourceRef, sourceKey } from "../../core/access/index.ts";
import { titleKey } from "./labels.ts";
import { sourceOf } from "./sources.ts";

/** A milestone of a project or a group (issues-labels-milestones-epics 3). */
export interface MilestoneRecord {
  readonly id: number;
  /** From 1 in each project or group. */
  readonly iid: number;
  readonly source_type: SourceRef["type"];
  readonly source_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: "active" | "closed";
  readonly start_date: CalendarDate | null;
  readonly due_date: CalendarDate | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

const never = "9999-12-31";

export const milestones = collection<MilestoneRecord>()("milestones", {
  iid: unique((milestone) => iidInSourceKey(sourceOf(milestone), milestone.iid)),
  title_in_source: unique((milestone) => titleKey(sourceOf(milestone), milestone.title)),
  title: multi((milestone) => [milestone.title]),
  source: multi((milestone) => [sourceKey(sourceOf(milestone))]),
  state: bitmap((milestone) => [milestone.state]),
  id: ordered((milestone) => milestone.id),
  start_date: ordered((milestone) => milestone.start_date ?? never),
  due_date: ordered((milestone) => milestone.due_date ?? never),
  updated_at: ordered((milestone) => milestone.updated_at),
  words: text({ title: (milestone) => milestone.title, description: (milestone) => milestone.description ?? "" }),
});

export function iidInSourceKey(source: SourceRef, iid: number): string {
  return `${sourceKey(source)} ${iid}`;
}
