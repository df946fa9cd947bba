import { type SourceRef, sourceKey, sourceOf } from "../../../domain/source.ts";
import { collection, field, multi, ordered, type RecordOf, record, text, unique } from "../../../store/index.ts";

/** A label of a project or a group (issues-labels-milestones-epics 2). */
export const LabelRecord = record({
  id: field.whole,
  source_type: field.oneOf("group", "project"),
  source_id: field.whole,
  /** `name` on the wire. Case matters. */
  title: field.text,
  description: field.nullable(field.text),
  /** `#RRGGBB`. */
  color: field.text,
  /** undefined: no. */
  archived: field.optional(field.flag),
  created_at: field.moment,
  updated_at: field.moment,
});
export type LabelRecord = RecordOf<typeof LabelRecord>;

export const labels = collection("labels", LabelRecord, {
  typeName: "Label",
  indexes: {
    title_in_source: unique((label) => titleKey(sourceOf(label), label.title)),
    /** Labels of different sources may share a title. */
    title: multi((label) => [label.title]),
    source: multi((label) => [sourceKey(sourceOf(label))]),
    archived: multi((label) => (label.archived ? ["yes"] : [])),
    id: ordered((label) => label.id),
    name: ordered((label) => label.title.toLowerCase()),
    words: text({ title: (label) => label.title, description: (label) => label.description ?? "" }),
  },
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } } },
});

/** The priority of a label in one project; the lowest is the most urgent. */
export const LabelPriorityRecord = record({
  id: field.whole,
  label_id: field.whole,
  project_id: field.whole,
  priority: field.whole,
});
export type LabelPriorityRecord = RecordOf<typeof LabelPriorityRecord>;

export const labelPriorities = collection("label-priorities", LabelPriorityRecord, {
  indexes: {
    pair: unique(({ label_id, project_id }) => priorityKey(label_id, project_id)),
    label_id: multi(({ label_id }) => [label_id]),
    project_id: multi(({ project_id }) => [project_id]),
    id: ordered(({ id }) => id),
  },
  references: { label_id: "labels", project_id: "projects" },
});

export function titleKey(source: SourceRef, title: string): string {
  return `${sourceKey(source)}\n${title}`;
}

export function priorityKey(labelId: number, projectId: number): string {
  return `${labelId} ${projectId}`;
}
