import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered, text, unique } from "../../../store/index.ts";
import { type SourceRef, sourceKey } from "../../core/access/index.ts";
import { sourceOf } from "./sources.ts";

/** A label of a project or a group (issues-labels-milestones-epics 2). */
export interface LabelRecord {
  readonly id: number;
  readonly source_type: SourceRef["type"];
  readonly source_id: number;
  /** `name` on the wire. Case matters. */
  readonly title: string;
  readonly description: string | null;
  /** `#RRGGBB`. */
  readonly color: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const labels = collection<LabelRecord>()("labels", {
  title_in_source: unique((label) => titleKey(sourceOf(label), label.title)),
  /** Labels of different sources may share a title. */
  title: multi((label) => [label.title]),
  source: multi((label) => [sourceKey(sourceOf(label))]),
  id: ordered((label) => label.id),
  name: ordered((label) => label.title.toLowerCase()),
  words: text({ title: (label) => label.title, description: (label) => label.description ?? "" }),
});

/** How urgent a label is in one project. */
export interface LabelPriorityRecord {
  readonly id: number;
  readonly label_id: number;
  readonly project_id: number;
  readonly priority: number;
}

export const labelPriorities = collection<LabelPriorityRecord>()("label-priorities", {
  pair: unique(({ label_id, project_id }) => priorityKey(label_id, project_id)),
  label_id: multi(({ label_id }) => [label_id]),
  project_id: multi(({ project_id }) => [project_id]),
  id: ordered(({ id }) => id),
});

export function titleKey(source: SourceRef, title: string): string {
  return `${sourceKey(source)}\n${title}`;
}

export function priorityKey(labelId: number, projectId: number): string {
  return `${labelId} ${projectId}`;
}
