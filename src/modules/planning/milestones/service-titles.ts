import type { SourceRef } from "../../../domain/source.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { titleKey } from "../labels/records.ts";
import { type MilestoneRecord, milestones } from "./records.ts";

const titleLengthMax = 255;

/** The errors of a milestone's title in the project or group; `itself` may keep its own. */
export function titleErrors(store: Store, source: SourceRef, title: string, itself?: MilestoneRecord): string[] {
  if (title === "") return ["can't be blank"];
  if (exceedsLength(title, titleLengthMax)) return [`is too long (maximum is ${titleLengthMax} characters)`];
  const holder = findOwnMilestone(store, source, title);
  if (holder !== undefined && holder.id !== itself?.id) return ["has already been taken"];
  const isTaken =
    source.type === "project" ? isTakenInGroup(store, source.id, title) : isTakenInProjects(store, source.id, title);
  return isTaken ? ["already being used for another group or project milestone."] : [];
}

export function findOwnMilestone(store: Store, source: SourceRef, title: string): MilestoneRecord | undefined {
  const id = store.of(milestones).by.title_in_source.find(titleKey(source, title));
  return id === undefined ? undefined : store.of(milestones).get(id);
}

/** The milestones of this title of the group's own projects. */
export function milestonesInProjectsOf(store: Store, groupId: number, title: string): MilestoneRecord[] {
  const projectIds = store.of(projects).by.namespace_id.find(groupId);
  const sameTitle = store.of(milestones).by.title.find(title);
  if (projectIds.size < sameTitle.size) {
    return [...projectIds]
      .map((id) => findOwnMilestone(store, { type: "project", id }, title))
      .filter((milestone) => milestone !== undefined);
  }
  return [...sameTitle]
    .map((id) => store.of(milestones).get(id))
    .filter((milestone) => milestone !== undefined)
    .filter(({ source_type, source_id }) => source_type === "project" && projectIds.has(source_id));
}

function isTakenInGroup(store: Store, projectId: number, title: string): boolean {
  const group = store.of(groups).get(store.of(projects).get(projectId)?.namespace_id ?? 0);
  return group !== undefined && findOwnMilestone(store, { type: "group", id: group.id }, title) !== undefined;
}

function isTakenInProjects(store: Store, groupId: number, title: string): boolean {
  return milestonesInProjectsOf(store, groupId, title).length > 0;
}
