import type { CalendarDate, DateTime } from "../../domain/datetime.ts";
import { bitmap, collection, multi, ordered, text, unique } from "../../store/index.ts";
import { type SourceRef, sourceKey } from "../access/index.ts";

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
  iid: unique((milestone) => `${sourceKey(sourceOf(milestone))} ${milestone.iid}`),
  title: multi((milestone) => [milestone.title]),
  source: multi((milestone) => [sourceKey(sourceOf(milestone))]),
  state: bitmap((milestone) => [milestone.state]),
  id: ordered((milestone) => milestone.id),
  start_date: ordered((milestone) => milestone.start_date ?? never),
  due_date: ordered((milestone) => milestone.due_date ?? never),
  updated_at: ordered((milestone) => milestone.updated_at),
  words: text({ title: (milestone) => milestone.title, description: (milestone) => milestone.description ?? "" }),
});

function sourceOf({ source_type, source_id }: MilestoneRecord): SourceRef {
  return { type: source_type, id: source_id };
}
