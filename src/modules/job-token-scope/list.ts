import {
  type JobTokenGroupLinkRecord,
  type JobTokenProjectLinkRecord,
  jobTokenGroupLinks,
  jobTokenProjectLinks,
} from "../access/index.ts";
import type { Context } from "../context.ts";
import { type GroupRecord, groups, type ProjectRecord, projects } from "../namespaces/index.ts";

/** The projects on the list of another one in the order in which they came; without those that are being deleted. */
export function allowedProjects({ store, access }: Context, source: ProjectRecord): ProjectRecord[] {
  const links = store.of(jobTokenProjectLinks);
  return [...links.by.source_project_id.find(source.id)].flatMap((id) => {
    const { target_project_id } = links.get(id) as JobTokenProjectLinkRecord;
    const project = store.of(projects).get(target_project_id);
    return project === undefined || access.isGoing({ project }) ? [] : [project];
  });
}

/** The groups on the list of a project in the order in which they came; without those that are being deleted. */
export function allowedGroups({ store, access }: Context, source: ProjectRecord): GroupRecord[] {
  const links = store.of(jobTokenGroupLinks);
  return [...links.by.source_project_id.find(source.id)].flatMap((id) => {
    const { target_group_id } = links.get(id) as JobTokenGroupLinkRecord;
    const group = store.of(groups).get(target_group_id);
    return group === undefined || access.isGoing({ group }) ? [] : [group];
  });
}
