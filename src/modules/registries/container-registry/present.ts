import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Store } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { digestOf } from "./digests.ts";
import {
  type ContainerRepositoryRecord,
  type ContainerTagRecord,
  containerBlobs,
  containerManifests,
  containerTags,
} from "./records.ts";
import type { ContainerRepository, ContainerTag, ContainerTagDetails } from "./schema.ts";
import { findManifest } from "./service-references.ts";
import { listTags } from "./service-tags.ts";

/** The fields of a repository that are shown on request. */
export interface RepositoryExtras {
  readonly tags?: boolean | undefined;
  readonly tags_count?: boolean | undefined;
  readonly size?: boolean | undefined;
}

const allTags = { kind: "offset", page: 1, perPage: 1_000 } as const;

/** The name of a repository for image clients: in small letters. */
export function pathOf(store: Store, { project_id, name }: ContainerRepositoryRecord): string {
  const project = store.of(projects).get(project_id) as ProjectRecord;
  const path = projectPathOf(store, project).toLowerCase();
  return name === "" ? path : `${path}/${name}`;
}

export function presentRepository(
  repository: ContainerRepositoryRecord,
  { context, caller, baseUrl }: View,
  { extras = {} }: { readonly extras?: RepositoryExtras | undefined } = {},
): Static<typeof ContainerRepository> {
  const { store } = context;
  const { id, name, project_id, created_at, status } = repository;
  const path = pathOf(store, repository);
  const location = locationOf(path, baseUrl);
  const project = store.of(projects).get(project_id) as ProjectRecord;
  const mayDelete = context.get(Access).levelInProject(caller.user, project) >= accessLevels.maintainer;
  const tags = extras.tags === true ? listTags(store, repository, allTags).items : [];
  return {
    id,
    name,
    path,
    project_id,
    location,
    created_at,
    cleanup_policy_started_at: null,
    ...(extras.tags_count === true ? { tags_count: store.of(containerTags).by.repository_id.find(id).size } : {}),
    ...(extras.tags === true ? { tags: tags.map((tag) => tagAt(tag, path, location)) } : {}),
    ...(mayDelete ? { delete_api_path: `${baseUrl}/api/v4/projects/${project_id}/registry/repositories/${id}` } : {}),
    ...(extras.size === true ? { size: sizeOf(store, id) } : {}),
    status,
  };
}

export function presentTag(
  tag: ContainerTagRecord,
  { context: { store }, baseUrl }: View,
  { repository }: { readonly repository: ContainerRepositoryRecord },
): Static<typeof ContainerTag> {
  const path = pathOf(store, repository);
  return tagAt(tag, path, locationOf(path, baseUrl));
}

/** Shows a tag; path and location of its repository are computed once for all tags. */
function tagAt({ name }: ContainerTagRecord, path: string, location: string) {
  return { name, path: `${path}:${name}`, location: `${location}:${name}` };
}

/** `revision`: of the configuration; of the manifest where there is none. */
export function presentTagDetails(
  tag: ContainerTagRecord,
  view: View,
  { repository }: { readonly repository: ContainerRepositoryRecord },
): Static<typeof ContainerTagDetails> {
  const {
    context: { store },
  } = view;
  const manifest = findManifest(store, repository.id, tag.digest);
  const revision = manifest?.config ?? tag.digest;
  return {
    ...presentTag(tag, view, { repository }),
    revision,
    short_revision: revision.slice(0, 9),
    digest: digestOf(tag.digest),
    created_at: tag.updated_at,
    total_size: manifest?.total_size ?? 0,
  };
}

function locationOf(path: string, baseUrl: string): string {
  return `${new URL(baseUrl).host}/${path}`;
}

function sizeOf(store: Store, repositoryId: number): number {
  let size = 0;
  for (const each of [containerBlobs, containerManifests] as const) {
    const documents = store.of(each as typeof containerBlobs);
    for (const id of documents.by.repository_id.find(repositoryId)) size += documents.get(id)?.size ?? 0;
  }
  return size;
}
