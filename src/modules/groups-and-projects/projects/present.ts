import type { Static } from "@sinclair/typebox";
import { hostOf } from "../../../lib/base-path.ts";
import { canReadCode } from "../../core/access/index.ts";
import { fullPathOf, presentProjectIdentity } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import { defaultBranchOrFirst, readmeUrl } from "../../repositories/repositories/index.ts";
import { groups } from "../groups/records.ts";
import { type NamespaceRecord, namespaces } from "../namespaces-api/records.ts";
import type { ProjectRecord } from "./records.ts";
import type { ProjectNamespace, SimpleProject } from "./schema.ts";

/** The namespace of a project (groups-and-projects 3.4). */
export function presentProjectNamespace(namespace: NamespaceRecord, view: View): Static<typeof ProjectNamespace> {
  const {
    context: { store },
    baseUrl,
  } = view;
  const { id, name, path, kind, parent_id } = namespace;
  const full_path = fullPathOf(store, id);
  const owner = namespace.owner_id === null ? undefined : findUser(store, namespace.owner_id);
  const avatar = store.of(groups).get(id)?.avatar ?? null;
  const groupAvatar =
    avatar === null ? null : `${baseUrl}/uploads/-/system/group/avatar/${id}/${encodeURIComponent(avatar.filename)}`;
  return {
    id,
    name,
    path,
    kind,
    full_path,
    parent_id,
    avatar_url: owner === undefined ? groupAvatar : presentBasicUser(owner, view).avatar_url,
    web_url: kind === "user" ? `${baseUrl}/${path}` : `${baseUrl}/groups/${full_path}`,
  };
}

/** groups-and-projects 3.4, "simple". */
export function presentSimpleProject(project: ProjectRecord, view: View): Static<typeof SimpleProject> {
  const { context, caller, baseUrl } = view;
  const identity = presentProjectIdentity(project, view);
  const namespace = context.store.of(namespaces).get(project.namespace_id);
  if (namespace === undefined) throw new Error(`project ${project.id} is nowhere`);
  const web_url = `${baseUrl}/${identity.path_with_namespace}`;
  return {
    ...identity,
    ...(canReadCode(context, caller.user, project)
      ? {
          default_branch: defaultBranchOrFirst(context, project),
          readme_url: readmeUrl(project, web_url),
          forks_count: 0,
        }
      : {}),
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `git@${hostOf(baseUrl).hostname}:${identity.path_with_namespace}.git`,
    http_url_to_repo: `${web_url}.git`,
    web_url,
    avatar_url: projectAvatarUrl(project, baseUrl),
    star_count: project.star_count,
    last_activity_at: project.last_activity_at,
    namespace: presentProjectNamespace(namespace, view),
    ...(caller.user?.is_admin === true ? { repository_storage: project.repository_storage } : {}),
  };
}

function projectAvatarUrl({ id, avatar }: ProjectRecord, baseUrl: string): string | null {
  if (avatar === null) return null;
  return `${baseUrl}/uploads/-/system/project/avatar/${id}/${encodeURIComponent(avatar.filename)}`;
}
