import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import type { Repository, RepositoryPlace, RepositoryWriter } from "../../../git/index.ts";
import { networkOf } from "../../../lib/ip-address.ts";
import type { Reader } from "../../../lib/reader-queue.ts";
import { canReadCode, getProject, levelIn } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";

/** The current place of a project's repository. */
export function placeOf({ id, repository_storage }: ProjectRecord): RepositoryPlace {
  return { kind: "project", id, storage: repository_storage };
}

/** Reads the repository of a project in turn (`Repositories.readInTurn`); 403 for those who see the project but not its code (members-and-access 4.7). */
export async function readRepository<R>(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  work: (repository: Repository) => Promise<R>,
): Promise<R> {
  if (!canReadCode(context, caller.user, project)) throw forbidden();
  return context.repositories.readInTurn(placeOf(project), readerOf(caller), work);
}

/** The reader that a caller counts as: a user, or all anonymous callers of a network. */
export function readerOf({ user, ipAddress }: Caller): Reader {
  if (user !== undefined) return { name: `user ${user.id}`, isStranger: false };
  return { name: ipAddress === null ? "" : networkOf(ipAddress), isStranger: true };
}

/**
 * The one way to change the repository of a project through the API: when it is the caller's turn, and with the rights that
 * the caller has then. `work` gets the project as it is then. Throws 403, and 400 while the repository is read-only.
 */
export function writeRepository<R>(
  context: Context,
  caller: SignedInCaller,
  { id }: ProjectRecord,
  work: (repository: RepositoryWriter, project: ProjectRecord) => Promise<R>,
): Promise<R> {
  const admitted = () => {
    const project = getProject(context, caller, id);
    requireRepositoryWriter(context, caller, project);
    return project;
  };
  admitted();
  return context.repositories.write(
    { kind: "project", id },
    () => placeOf(admitted()),
    (repository) => work(repository, admitted()),
  );
}

/** Whether a caller may change the repository of a project that they see. */
export function canWriteRepository(context: Context, caller: SignedInCaller, project: ProjectRecord): boolean {
  if (levelIn(context, caller, { project }) < accessLevels.developer) return false;
  return canReadCode(context, caller.user, project) && !project.archived;
}

/** Throws 403 for those who may not change the repository. */
export function requireRepositoryWriter(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (!canWriteRepository(context, caller, project)) throw forbidden();
}

/**
 * The branch that is looked at when none is named; undefined for an empty repository. The record does not know yet of a
 * first commit whose process was killed before it could note it.
 */
export async function defaultBranchOf(
  repository: Repository,
  { default_branch }: ProjectRecord,
): Promise<string | undefined> {
  return default_branch ?? repository.headBranch();
}
