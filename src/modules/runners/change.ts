import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../domain/access-level.ts";
import type { SignedInCaller } from "../../domain/caller.ts";
import { toDateTime } from "../../domain/datetime.ts";
import { forbidden, notFound } from "../../domain/failure.ts";
import type { Context } from "../context.ts";
import { type ProjectRecord, projects } from "../namespaces/index.ts";
import { type RunnerRecord, runners } from "./collection.ts";
import { refuseAttributes, tagsOf } from "./create.ts";
import type { RunnerAttributes } from "./schema.ts";

/** The runner, for who may see and change it: administrators, owners of its group, maintainers of a project of it. */
export function getRunner(context: Context, { user }: SignedInCaller, id: number): RunnerRecord {
  const { store, access } = context;
  const runner = store.of(runners).get(id);
  if (runner === undefined) throw notFound("Runner");
  if (user.is_admin) return runner;
  const { group_id } = runner;
  if (group_id !== null && access.levelInGroup(user, group_id) >= accessLevels.owner) return runner;
  const isMaintained = (project: ProjectRecord) => access.levelInProject(user, project) >= accessLevels.maintainer;
  if (projectsOf(context, runner).some(isMaintained)) return runner;
  throw forbidden("No access granted");
}

export function projectsOf({ store }: Context, { project_ids }: RunnerRecord): ProjectRecord[] {
  return project_ids.flatMap((id) => store.of(projects).get(id) ?? []);
}

/** `PUT /runners/:id`. Throws 400. */
export function changeRunner(
  context: Context,
  runner: RunnerRecord,
  { tag_list, ...given }: Static<typeof RunnerAttributes>,
): RunnerRecord {
  const tags = tag_list === undefined ? {} : { tag_list: tagsOf(tag_list) };
  const after = { ...runner, ...given, ...tags };
  refuseAttributes(after);
  if (Bun.deepEquals(after, runner)) return runner;
  const updated_at = toDateTime(context.clock.now());
  return context.store.transact((tx) => tx.update(runners, { ...after, updated_at }));
}
