import type { AccessLevel } from "../../../domain/access-level.ts";
import { Access } from "../../core/access/index.ts";
import { fullPathOf, projectNameOf, projectPathOf } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { namespaces } from "../../groups-and-projects/namespaces-api/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";

/** users-and-auth 17: a group, and the level of the token's user there. */
export function presentAssociatedGroup(
  group: GroupRecord,
  { context, baseUrl: base }: View,
  { userId }: { readonly userId: number },
) {
  return {
    id: group.id,
    web_url: `${base}/groups/${fullPathOf(context.store, group.id)}`,
    name: group.name,
    parent_id: group.parent_id,
    organization_id: 1,
    access_levels: context.get(Access).memberLevelInGroup(userId, group.id),
    visibility: group.visibility,
  };
}

/** users-and-auth 17: a project, and what the token's user has there directly and in other ways. */
export function presentAssociatedProject(project: ProjectRecord, view: View, { userId }: { readonly userId: number }) {
  const { context, baseUrl: base } = view;
  const { store } = context;
  const access = context.get(Access);
  const ways = access.explain(userId, { type: "project", id: project.id });
  const path = projectPathOf(store, project);
  // The highest way comes first.
  const levelBy = (isDirect: boolean): AccessLevel | null =>
    ways.find(({ channel }) => (channel.kind === "direct") === isDirect)?.level ?? null;
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: projectNameOf(store, project),
    path: project.path,
    path_with_namespace: path,
    created_at: project.created_at,
    access_levels: { project_access_level: levelBy(true), group_access_level: levelBy(false) },
    visibility: project.visibility,
    web_url: `${base}/${path}`,
    namespace: presentNamespace(project.namespace_id, view),
  };
}

function presentNamespace(id: number, { context: { store }, baseUrl: base }: View) {
  const namespace = store.of(namespaces).get(id);
  if (namespace === undefined) throw new Error(`no namespace ${id}`);
  const fullPath = fullPathOf(store, id);
  return {
    id,
    name: namespace.name,
    path: namespace.path,
    kind: namespace.kind,
    full_path: fullPath,
    parent_id: namespace.parent_id,
    web_url: namespace.kind === "group" ? `${base}/groups/${fullPath}` : `${base}/${fullPath}`,
  };
}
