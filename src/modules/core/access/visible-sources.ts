/** The groups and projects that a caller can see below a group, for lists that include what is in them. */

import type { Caller } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { selfAndDescendants } from "../namespaces/index.ts";
import { Access } from "./service.ts";

/** The groups below a group that the caller can see. */
export function visibleGroupsBelow(context: Context, caller: Caller, groupId: number): SourceRef[] {
  return selfAndDescendants(context.store, groupId)
    .filter((id) => id !== groupId && canSeeGroup(context, caller, id))
    .map((id) => ({ type: "group", id }));
}

/** The projects directly in these groups that the caller can see. */
export function visibleProjectsIn(context: Context, { user }: Caller, groupIds: readonly number[]): SourceRef[] {
  const documents = context.store.of(projects);
  return groupIds
    .flatMap((groupId) => [...documents.by.namespace_id.find(groupId)])
    .filter((projectId) => {
      spend(documentSteps);
      const project = documents.get(projectId);
      return project !== undefined && context.get(Access).canSeeProject(user, project);
    })
    .map((projectId) => ({ type: "project", id: projectId }));
}

/** Whether the caller can see a group that is known by its id only. */
export function canSeeGroup(context: Context, { user }: Caller, groupId: number): boolean {
  const group = context.store.of(groups).get(groupId);
  return group !== undefined && context.get(Access).canSeeGroup(user, group);
}
