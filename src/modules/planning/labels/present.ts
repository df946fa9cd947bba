import type { Static } from "@sinclair/typebox";
import { spend } from "../../../domain/work-budget.ts";
import { renderEmoji } from "../../../lib/text/emoji.ts";
import type { View } from "../../kernel/view.ts";
import { findSubscription } from "../subscriptions/index.ts";
import type { LabelRecord } from "./records.ts";
import type { GroupLabel, Label, ProjectLabel } from "./schema.ts";
import { priorityOf } from "./service-priorities.ts";

/** Red, green and blue together; above it, a background is light. */
const lightSum = 500;

/** The text colour with enough contrast on a background of `#RRGGBB`. */
function textColorOn(color: string): string {
  const sum = [1, 3, 5].reduce((total, at) => total + Number.parseInt(color.slice(at, at + 2), 16), 0);
  return sum > lightSum ? "#1F1E24" : "#FFFFFF";
}

/** The steps to render a character of a description. */
const renderSteps = 15;

/** issues-labels-milestones-epics 1.3, `with_labels_details`. Throws `OverBudget`. */
export function presentLabelDetails({ id, title, color, description }: LabelRecord): Static<typeof Label> {
  spend(renderSteps * (description ?? "").length);
  return {
    id,
    name: title,
    color,
    description,
    description_html: renderEmoji(description ?? ""),
    text_color: textColorOn(color),
  };
}

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
