import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, notFoundLowerCase } from "../../../domain/failure.ts";
import { Access } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { canSeeMergeRequestsOf } from "../../planning/readable-merge-requests/index.ts";
import type { MergeRequestRecord } from "./records.ts";

/** Throws 403 for a caller who sees the project but not its merge requests (merge-requests 1). */
export function requireReader(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!canSeeMergeRequestsOf(context.get(Access), user, project)) throw forbidden();
}

/** Throws 403 for callers who may change nothing of it: developers and above, author and assignees may. */
export function requireUpdateRight(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
): void {
  if (!canUpdate(context, caller, project, mergeRequest)) throw forbidden();
}

export function canUpdate(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { author_id, assignee_ids }: Pick<MergeRequestRecord, "author_id" | "assignee_ids">,
): boolean {
  const { id } = caller.user;
  if (project.archived) return false;
  return author_id === id || assignee_ids.includes(id) || canManage(context, caller, project);
}

/** Developers and above: they manage merge requests of others, their labels, milestones, assignees and reviewers. */
export function canManage(context: Context, { user }: SignedInCaller, project: ProjectRecord): boolean {
  return context.get(Access).levelInProject(user, project) >= accessLevels.developer;
}

/** Throws 403 for all but developers and above, and in an archived project. */
export function requireManager(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (project.archived || !canManage(context, caller, project)) throw forbidden();
}

/** Throws 403 for all but owners and administrators, and in an archived project. */
export function requireOwner(context: Context, { user }: SignedInCaller, project: ProjectRecord): void {
  if (project.archived || context.get(Access).levelInProject(user, project) < accessLevels.owner) throw forbidden();
}

/** Throws 404 where others get 403: the operations that look for a merge request among those that the caller reads. */
export function requireFinder(context: Context, { user }: Caller, project: ProjectRecord): void {
  if (!canSeeMergeRequestsOf(context.get(Access), user, project)) throw notFoundLowerCase();
}
