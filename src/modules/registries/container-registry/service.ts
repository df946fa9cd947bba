import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { Failure, notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { canSeeFeature, getProject } from "../../core/access/index.ts";
import { enqueueJob } from "../../core/background-jobs/index.ts";
import { projectsBelow } from "../../core/namespaces/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { recordDeletionMarked, recordTagsDeleted } from "./audit.ts";
import { repositoryDeletionKind } from "./deletion.ts";
import { requireRegistryReader } from "./policy.ts";
import { type ContainerRepositoryRecord, type ContainerTagRecord, containerRepositories } from "./records.ts";
import { findTag, removeTag } from "./service-references.ts";

/** `GET /projects/:id/registry/repositories`, in the order in which they were made. */
export function listRepositories(
  store: Store,
  { id }: ProjectRecord,
  page: PageRequest,
): Page<ContainerRepositoryRecord> {
  const where = [{ index: "project_id", key: id } as const];
  return store.page(containerRepositories, { where, order: "id", descending: false, page });
}

/** Lists repositories of all projects below a group that have a registry: a level in the group holds in all of them. */
export function listGroupRepositories(
  context: Context,
  { user }: Caller,
  { id }: GroupRecord,
  page: PageRequest,
): Page<ContainerRepositoryRecord> {
  const { store } = context;
  const documents = store.of(containerRepositories);
  const ids = projectsBelow(store, id).flatMap((projectId) => {
    const inProject = documents.by.project_id.find(projectId);
    if (inProject.size === 0) return [];
    const project = store.of(projects).get(projectId) as ProjectRecord;
    return canSeeFeature(context, user, project, "container_registry") ? [...inProject] : [];
  });
  return store.page(containerRepositories, { where: [{ ids }], order: "id", descending: false, page });
}

/** Throws 404 for an unknown repository, and for one of another project. */
export function getRepository(store: Store, { id }: ProjectRecord, repositoryId: number): ContainerRepositoryRecord {
  const found = store.of(containerRepositories).get(repositoryId);
  if (found === undefined || found.project_id !== id) throw notFound();
  return found;
}

/** Finds a repository by its id alone. Throws 404, also for one that the caller may not read. */
export function getRepositoryById(
  context: Context,
  caller: SignedInCaller,
  repositoryId: number,
): ContainerRepositoryRecord {
  const found = context.store.of(containerRepositories).get(repositoryId);
  if (found === undefined) throw notFound();
  try {
    requireRegistryReader(context, caller, getProject(context, caller, found.project_id));
  } catch (error) {
    if (error instanceof Failure && error.kind === "not_found") throw notFound();
    throw error;
  }
  return found;
}

/** Throws 404 `Tag Not Found`. */
export function getTag(store: Store, { id }: ContainerRepositoryRecord, name: string): ContainerTagRecord {
  const tag = findTag(store, id, name);
  if (tag === undefined) throw notFound("Tag");
  return tag;
}

/** `DELETE …/tags/:tag_name`; its image stays for a day, if nothing else names it. Throws 412. */
export function deleteTag(
  context: Context,
  caller: SignedInCaller,
  repository: ContainerRepositoryRecord,
  tag: ContainerTagRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(tag, unmodifiedSince);
  context.store.transact((tx) => {
    removeTag(tx, context, tag);
    recordTagsDeleted(tx, context, caller, repository, [tag.name]);
  });
}

/** `DELETE …/repositories/:repository_id`: its name is free at once, and a job removes what is in it. Throws 412. */
export function deleteRepository(
  context: Context,
  caller: SignedInCaller,
  repository: ContainerRepositoryRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(repository, unmodifiedSince);
  if (repository.status !== null) return;
  context.store.transact((tx) => {
    const updated_at = toDateTime(context.clock.now());
    tx.update(containerRepositories, { ...repository, status: "delete_scheduled", updated_at });
    recordDeletionMarked(tx, context, caller, repository);
    enqueueJob(tx, context, { kind: repositoryDeletionKind, payload: { repository_id: repository.id } });
  });
}
