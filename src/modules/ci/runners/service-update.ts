import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { Access } from "../../core/access/index.ts";
import { type ProjectRecord, projects } from "../../core/namespaces/index.ts";
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
 * The runner, for callers who may change it: administrators, owners of its group, maintainers of a project of it. Throws 404 and
 * 403.
 */
export function getRunner(context: Context, { user }: SignedInCaller, id: number): RunnerRecord {
  const runner = getRunnerById(context, id);
  if (!canChangeRunner(context, user, runner)) throw forbidden("No access granted");
  return runner;
}

function canChangeRunner(context: Context, user: CallerUser, { group_id, project_ids }: RunnerRecord): boolean {
  const access = context.get(Access);
  if (user.is_admin) return true;
  if (group_id !== null && access.levelInGroup(user, group_id) >= accessLevels.owner) return true;
  const maintained = access.projectsWith(user.id, accessLevels.maintainer);
  return project_ids.some((id) => maintained.has(id));
}

/** True when the user may see the runner and its machines; else `getShownRunner` throws. */
export function canSeeRunner(context: Context, user: CallerUser | undefined, runner: RunnerRecord): boolean {
  if (user === undefined) return false;
  return runner.runner_type === "instance_type" || canChangeRunner(context, user, runner);
}

/**
 * The runner, for those who may delete it or have its token: of one that several projects use, administrators alone. It takes the
 * jobs of all of them. Throws 404 and 403.
 */
export function getOwnRunner(context: Context, caller: SignedInCaller, id: number): RunnerRecord {
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
