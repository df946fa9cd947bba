import type { SourceRef } from "../../../domain/source.ts";
import type { Store } from "../../../store/index.ts";
import { groupsAbove, sourcesAbove } from "../../core/access/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { type LabelRecord, labels, titleKey } from "./records.ts";

/** The sources whose labels can be used in a project or group: itself and the groups above it, the nearest first. */
export function labelSourcesOf(store: Store, source: SourceRef): readonly SourceRef[] {
  if (source.type === "group") return groupsAbove(store, source.id);
  const project = store.of(projects).get(source.id);
  return project === undefined ? [] : sourcesAbove(store, project);
}

/** The sources without the groups above: a project keeps its own group. */
export function ownSourcesOf(store: Store, source: SourceRef): readonly SourceRef[] {
  return labelSourcesOf(store, source).slice(0, source.type === "project" ? 2 : 1);
}

/** The label of a title among those of one project or group itself. */
export function findOwnLabel(store: Store, source: SourceRef, title: string): LabelRecord | undefined {
  const id = store.of(labels).by.title_in_source.find(titleKey(source, title));
  return id === undefined ? undefined : store.of(labels).get(id);
}
