/** The projects that may use a milestone. */

import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { sourcesAbove } from "./note-targets.ts";
import { milestones } from "./records-milestones.ts";

/** Whether issues of the project may have the milestone: it is the project's, or that of a group above. */
export function isMilestoneOf(store: Store, project: ProjectRecord, milestoneId: number): boolean {
  const milestone = store.of(milestones).get(milestoneId);
  if (milestone === undefined) return false;
  return sourcesAbove(store, project).some(
    ({ type, id }) => milestone.source_type === type && milestone.source_id === id,
  );
}
