import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { Access } from "../../core/access/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { requireValidAttributes, tagsOf } from "./attributes.ts";
import { type RunnerRecord, runners } from "./records.ts";
import type { RunnerAttributes } from "./schema.ts";

/** The runner, if the caller may see it: those of the instance are for all signed-in users. Throws 404 and 403. */
export function getShownRunner(context: Context, caller: SignedInCaller, id: number): RunnerRecord {
  const runner = getRunnerById(context, id);
  if (!canSeeRunner(context, caller.user, runner)) throw forbidden("No access granted");
  return runner;
}

/** Throws 404. */
export function getRunnerById({ store }: Context, id: number): RunnerRecord {
  const runner = store.of(runners).get(id);
  if (runner === undefined) throw notFound("Runner");
  return runner;
}

/**
 * The runner, for callers who may change it: administrators, owners of its group, maintainers of the first project that had it. It
 * takes the jobs of its other projects, too. Throws 404 and 403.
 */
export function getRunner(context: Context, { user }: SignedInCaller, id: number): RunnerRecord {
  const runner = getRunnerById(context, id);
  if (!canChangeRunner(context, user, runner)) throw forbidden("No access granted");
  return runner;
}

function canChangeRunner(context: Context, user: CallerUser, { group_id, project_ids }: RunnerRecord): boolean {
  return user.is_admin || ownsGroup(context, user, group_id) || maintainsOneOf(context, user, project_ids.slice(0, 1));
}

function ownsGroup(context: Context, user: CallerUser, groupId: number | null): boolean {
  return groupId !== null && context.get(Access).levelInGroup(user, groupId) >= accessLevels.owner;
}

function maintainsOneOf(context: Context, user: CallerUser, projectIds: readonly number[]): boolean {
  const maintained = context.get(Access).projectsWith(user.id, accessLevels.maintainer);
  return projectIds.some((id) => maintained.has(id));
}

/** True when the user may see the runner and its machines; else `getShownRunner` throws. */
export function canSeeRunner(context: Context, user: CallerUser | undefined, runner: RunnerRecord): boolean {
  if (user === undefined) return false;
  if (runner.runner_type === "instance_type" || canChangeRunner(context, user, runner)) return true;
  return maintainsOneOf(context, user, runner.project_ids);
}

/** Only administrators may delete a runner that several projects use. Throws 404 and 403. */
export function getDeletableRunner(context: Context, caller: SignedInCaller, id: number): RunnerRecord {
  const { project_ids } = getRunnerById(context, id);
  if (project_ids.length > 1 && !caller.user.is_admin) throw forbidden("Runner associated with more than one project");
  return getRunner(context, caller, id);
}

export function projectsOf({ store }: Context, { project_ids }: RunnerRecord): ProjectRecord[] {
  return project_ids.flatMap((id) => store.of(projects).get(id) ?? []);
}

/** `PUT /runners/:id`. Throws 400. */
export function updateRunner(
  context: Context,
  runner: RunnerRecord,
  { tag_list, active, ...given }: Static<typeof RunnerAttributes>,
): RunnerRecord {
  const tags = tag_list === undefined ? {} : { tag_list: tagsOf(tag_list) };
  const pausing = active === undefined ? {} : { paused: !active };
  const after = { ...runner, ...given, ...pausing, ...tags };
  requireValidAttributes(after);
  if (Bun.deepEquals(after, runner)) return runner;
  const updated_at = toDateTime(context.clock.now());
  return context.store.transact((tx) => tx.update(runners, { ...after, updated_at }));
}
