import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { Failure, forbidden, notFound, ProjectMoved, unauthenticated } from "../../../domain/failure.ts";
import type { Store } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { InSource } from "../../kernel/operation.ts";
import { findGroupByPath, findMovedProject, findProjectByPath } from "../namespaces/index.ts";
import { canReadPlans } from "./policy-features.ts";
import { requireAllowedJob } from "./policy-job-token.ts";
import { Access } from "./service.ts";
import type { Source } from "./service-source.ts";

/** The `:id` of a path: a number, or a full path. */
type IdOrPath = string | number;

/** The group, when the caller sees it; 404 `Group Not Found`. */
export function getGroup(context: Context, caller: Caller, id: IdOrPath): GroupRecord {
  const group = findGroup(context.store, id);
  if (group === undefined || !context.get(Access).canSeeGroup(caller.user, group)) throw notFound("Group");
  return group;
}

/**
 * The project, when the caller sees it; 404 `Project Not Found`. Throws `ProjectMoved` for the former path of one that
 * the caller sees, and 403 for a job that the project does not allow.
 */
export function getProject(context: Context, caller: Caller, id: IdOrPath): ProjectRecord {
  const project = findProject(context.store, id);
  if (project !== undefined && isThereFor(context, caller, project)) return project;
  const hasFormerPath = project === undefined && numberOf(id) === undefined;
  const moved = hasFormerPath ? findMovedProject(context.store, String(id)) : undefined;
  if (moved !== undefined && isThereFor(context, caller, moved)) throw new ProjectMoved(moved.id);
  throw notFound("Project");
}

/** Whether the caller sees the project. Throws 403 for a job whose project it does not allow, if the job's user sees it. */
function isThereFor(context: Context, caller: Caller, project: ProjectRecord): boolean {
  if (!context.get(Access).canSeeProject(caller.user, project)) return false;
  requireAllowedJob(context.store, caller, project);
  return true;
}

/** The project for any caller: such operations check keys of their own. 404 `Project Not Found`, also at former paths. */
export function getProjectForAnyCaller(context: Context, id: IdOrPath): ProjectRecord {
  const project = findProject(context.store, id);
  if (project === undefined || context.get(Access).isBeingDeleted({ project })) throw notFound("Project");
  return project;
}

/** Throws 403 when the caller's effective level in a group or project is lower. */
export function requireLevel(
  context: Context,
  caller: Caller,
  source: { readonly group: GroupRecord } | { readonly project: ProjectRecord },
  level: AccessLevel,
): void {
  if (levelIn(context, caller, source) < level) throw forbidden();
}

/** Throws 403 in an archived project: what it has can only be read. */
export function requireUnarchived(source: { readonly group: GroupRecord } | { readonly project: ProjectRecord }): void {
  if ("project" in source && source.project.archived) throw forbidden();
}

export function levelIn(
  context: Context,
  { user }: Caller,
  source: { readonly group: GroupRecord } | { readonly project: ProjectRecord },
): AccessLevel {
  const access = context.get(Access);
  return "group" in source ? access.levelInGroup(user, source.group.id) : access.levelInProject(user, source.project);
}

/** The group or project of an operation in one, for a caller who may be there (see `InGroup`). */
export function authorizeSource(
  context: Context,
  caller: Caller,
  who: InSource,
  id: IdOrPath,
): { readonly group: GroupRecord } | { readonly project: ProjectRecord } {
  const source = getSource(context, caller, who, id);
  if (who.isForReaders && !canReadPlans(context, caller.user, source)) throw forbidden();
  if (!who.isLevelCheckedLate && who.level > accessLevels.none) requireLevel(context, caller, source, who.level);
  return source;
}

function getSource(context: Context, caller: Caller, { in: kind, asksForLogin }: InSource, id: IdOrPath): Source {
  try {
    return kind === "group" ? { group: getGroup(context, caller, id) } : { project: getProject(context, caller, id) };
  } catch (error) {
    const isHidden = error instanceof Failure && error.kind === "not_found";
    if (isHidden && asksForLogin && caller.user === undefined) throw unauthenticated();
    throw error;
  }
}

/** The group or project, whoever sees it; undefined without one. Former paths of projects do not count. */
export function findSourceByIdOrPath({ store }: Context, kind: InSource["in"], id: IdOrPath): Source | undefined {
  if (kind === "group") {
    const group = findGroup(store, id);
    return group === undefined ? undefined : { group };
  }
  const project = findProject(store, id);
  return project === undefined ? undefined : { project };
}

function findGroup(store: Store, id: IdOrPath): GroupRecord | undefined {
  const number = numberOf(id);
  return number === undefined ? findGroupByPath(store, String(id)) : store.of(groups).get(number);
}

function findProject(store: Store, id: IdOrPath): ProjectRecord | undefined {
  const number = numberOf(id);
  return number === undefined ? findProjectByPath(store, String(id)) : store.of(projects).get(number);
}

function numberOf(id: IdOrPath): number | undefined {
  return /^\d+$/.test(String(id)) ? Number(id) : undefined;
}
