import type { Caller } from "../../../domain/caller.ts";
import type { Store } from "../../../store/index.ts";
import { findSubscription, type LabelRecord, presentLabelDetails } from "../records/index.ts";
import { priorityOf } from "./priorities.ts";

/** issues-labels-milestones-epics 2; in a project, its own labels and those of the groups above have a priority. */
export function presentLabel(store: Store, label: LabelRecord, caller: Caller, projectId?: number) {
  const subject = { type: "Label", id: label.id } as const;
  return {
    ...presentLabelDetails(label),
    subscribed: caller.user !== undefined && findSubscription(store, subject, caller.user.id) === true,
    archived: false,
    ...(projectId === undefined
      ? {}
      : {
          priority: priorityOf(store, label.id, projectId),
          is_project_label: label.source_type === "project",
        }),
  };
}
