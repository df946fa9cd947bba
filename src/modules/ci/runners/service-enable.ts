import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type RunnerRecord, runners } from "./records.ts";
import { getRunner, getRunnerById } from "./service-update.ts";

/** `POST /projects/:id/runners`: a runner of another project serves this one, too. Throws 404, 403, and 400 where it does. */
export function enableRunner(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  runnerId: number,
): RunnerRecord {
  const runner = getRunnerById(context, runnerId);
  if (runner.runner_type === "group_type") throw forbidden("Runner is a group runner");
  if (runner.runner_type === "instance_type") throw forbidden("Runner is an instance runner");
  if (runner.locked && !caller.user.is_admin) throw forbidden("Runner is locked");
  getRunner(context, caller, runnerId);
  if (runner.project_ids.includes(project.id)) throw invalid("400 Bad request - Runner is already assigned to project");
  return assign(context, runner, [...runner.project_ids, project.id]);
}

/** `DELETE /projects/:id/runners/:runner_id`. Throws 404 for a runner that is none of the project's, 403 for the project that it was made for, 412. */
export function disableRunner(
  context: Context,
  project: ProjectRecord,
  runnerId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const runner = context.store.of(runners).get(runnerId);
  if (runner?.project_ids.includes(project.id) !== true) throw notFound("Runner");
  if (runner.project_ids[0] === project.id) {
    throw forbidden("You cannot unassign a runner from the owner project. Delete the runner instead");
  }
  requireUnmodified(runner, unmodifiedSince);
  assign(
    context,
    runner,
    runner.project_ids.filter((id) => id !== project.id),
  );
}

function assign({ store, clock }: Context, runner: RunnerRecord, project_ids: readonly number[]): RunnerRecord {
  const updated_at = toDateTime(clock.now());
  return store.transact((tx) => tx.update(runners, { ...runner, project_ids, updated_at }));
}
