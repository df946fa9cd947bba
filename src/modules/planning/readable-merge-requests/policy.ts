import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import type { Store } from "../../../store/index.ts";
import type { AccessPolicy } from "../../core/access/index.ts";
import { isUnrestricted, type ProjectReaders } from "../../core/readable-sets/index.ts";
import { users } from "../../core/users/records.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import type { MergeRequestRecord } from "../../merge-requests/merge-requests/records.ts";

type User = CallerUser | undefined;

/** The levels from which members read merge requests, by who reads the code (members-and-access 4.7). */
export const readerLevels: readonly AccessLevel[] = [accessLevels.guest, accessLevels.reporter];

/** The readers of merge requests: those who read the code, as far as the project shows them merge requests. */
export function mergeRequestReadersIn(project: ProjectRecord): ProjectReaders | undefined {
  const shown = projectSettingOf(project, "merge_requests_access_level");
  const code = projectSettingOf(project, "repository_access_level");
  if (shown === "disabled" || code === "disabled") return undefined;
  const isCodeOpen = code !== "private" && project.visibility !== "private";
  const isOpen = shown !== "private" && code !== "private" && project.visibility !== "private";
  return {
    level: isCodeOpen ? accessLevels.guest : accessLevels.reporter,
    others: isOpen ? project.visibility : "nobody",
  };
}

/** Whether there are merge requests in the project for this user (merge-requests 1). */
export function canSeeMergeRequestsOf(access: AccessPolicy, user: User, project: ProjectRecord): boolean {
  const readers = mergeRequestReadersIn(project);
  if (readers === undefined || !access.canSeeProject(user, project)) return false;
  if (readers.others === "public" || isUnrestricted(user)) return true;
  if (user === undefined) return false;
  if (readers.others === "internal" && !user.external) return true;
  return access.memberLevelInProject(user.id, project) >= readers.level;
}

/** Whether the user may read a merge request: only administrators may read those of banned authors. */
export function canReadMergeRequest(
  store: Store,
  access: AccessPolicy,
  user: User,
  mergeRequest: MergeRequestRecord,
): boolean {
  const project = store.of(projects).get(mergeRequest.project_id);
  if (project === undefined || !canSeeMergeRequestsOf(access, user, project)) return false;
  return user?.is_admin === true || store.of(users).get(mergeRequest.author_id)?.state !== "banned";
}
