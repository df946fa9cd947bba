import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import { findSubscription, type LabelRecord, presentLabelDetails } from "../records/index.ts";
import type { GroupLabel, ProjectLabel } from "./schema.ts";
import { priorityOf } from "./service-priorities.ts";

/** issues-labels-milestones-epics 2; in a project, its own labels and those of the groups above have a priority. */
export function presentLabel(
  label: LabelRecord,
  { context: { store }, caller }: View,
  { projectId }: { readonly projectId?: number | undefined } = {},
): Static<typeof GroupLabel> | Static<typeof ProjectLabel> {
  const subject = { type: "Label", id: label.id } as const;
  const shown = {
    ...presentLabelDetails(label),
    subscribed: caller.user !== undefined && findSubscription(store, subject, caller.user.id) === true,
    archived: label.archived === true,
  };
  if (projectId === undefined) return shown;
  const priority = priorityOf(store, label.id, projectId);
  return { ...shown, priority, is_project_label: label.source_type === "project" };
}
