import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import { type Caller, isSignedIn, type SignedInCaller } from "../../../domain/caller.ts";
import { Failure, forbidden, ProjectMoved } from "../../../domain/failure.ts";
import { canSeeFeature, getProject, requireLevel } from "../../core/access/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { nameInvalid, nameUnknown } from "./distribution/failures.ts";
import { type ContainerRepositoryRecord, containerRepositories, keyIn } from "./records.ts";

/** The path of a repository that has images, or may get some. */
export interface RepositoryPath {
  readonly project: ProjectRecord;
  /** The part behind the project's path; `""` for nothing. */
  readonly name: string;
  /** The path in the request. */
  readonly path: string;
}

export const pullLevel = accessLevels.reporter;
export const pushLevel = accessLevels.developer;

const pathLengthMax = 255;
const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const namePattern = new RegExp(`^${part}(?:/${part})*$`);

/** Throws 403 where a project has no registry for the caller, or is private and the caller is no reporter. */
export function requireRegistryReader(context: Context, caller: Caller, project: ProjectRecord): void {
  if (project.visibility === "private") requireLevel(context, caller, { project }, pullLevel);
  if (!canSeeFeature(context, caller.user, project, "container_registry")) throw forbidden();
}

/** Throws 403 where a project has no registry for the caller, or the caller has not the level for a change. */
export function requireRegistryWriter(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  level: AccessLevel,
): asserts caller is SignedInCaller {
  requireRegistryReader(context, caller, project);
  requireLevel(context, caller, { project }, level);
  if (project.archived || !isSignedIn(caller)) throw forbidden();
}

/** The place of a path, for those who have the level there. Throws 400 and 404 in the words of the registry, and 403. */
export function getRepositoryPath(
  context: Context,
  caller: SignedInCaller,
  path: string,
  level: AccessLevel,
): RepositoryPath {
  const segments = path.split("/");
  // A project's path has two segments at least, and none lies below another.
  for (let count = segments.length; count >= 2; count -= 1) {
    const project = visibleProject(context, caller, segments.slice(0, count).join("/"));
    if (project === undefined) continue;
    const name = segments.slice(count).join("/");
    if (path.length > pathLengthMax || (name !== "" && !namePattern.test(name))) throw nameInvalid(path);
    if (level === pullLevel) requireRegistryReader(context, caller, project);
    else requireRegistryWriter(context, caller, project, level);
    return { project, name, path };
  }
  throw nameUnknown(path);
}

/** The repository of a path, which is there. */
export function getRepositoryByPath(
  context: Context,
  caller: SignedInCaller,
  path: string,
  level: AccessLevel,
): ContainerRepositoryRecord {
  const found = findRepository(context, getRepositoryPath(context, caller, path, level));
  if (found === undefined) throw nameUnknown(path);
  return found;
}

export function findRepository(
  { store }: Context,
  { project, name }: RepositoryPath,
): ContainerRepositoryRecord | undefined {
  const documents = store.of(containerRepositories);
  return documents.get(documents.by.place.find(keyIn(project.id, name)) ?? 0);
}

function visibleProject(context: Context, caller: SignedInCaller, path: string): ProjectRecord | undefined {
  try {
    return getProject(context, caller, path);
  } catch (error) {
    if (error instanceof ProjectMoved) return context.store.of(projects).get(error.projectId);
    if (error instanceof Failure && error.kind === "not_found") return undefined;
    throw error;
  }
}
