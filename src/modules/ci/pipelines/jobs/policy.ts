import { accessLevels } from "../../../../domain/access-level.ts";
import type { Caller } from "../../../../domain/caller.ts";
import { forbidden } from "../../../../domain/failure.ts";
import { Access } from "../../../core/access/index.ts";
import { findUser } from "../../../core/users/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { faultOf } from "../../ci-config/index.ts";
import { hasDebugOutput } from "../../job-logs/index.ts";
import { dotenvOf } from "../forwarded-variables.ts";
import { knownVariablesOf } from "../job-variables.ts";
import { type PipelineRecord, pipelines } from "../records.ts";
import type { CiJobRecord } from "../records-jobs.ts";

/** With one of them true, a runner writes all variables into the log, secret ones too. */
const debugVariables = ["CI_DEBUG_TRACE", "CI_DEBUG_SERVICES"];

/** Throws 403 for a reader of the job from whom its log is kept: that of a debugged job is for developers. */
export function requireTraceReader(context: Context, { user }: Caller, project: ProjectRecord, job: CiJobRecord): void {
  if (context.get(Access).levelInProject(user, project) >= accessLevels.developer) return;
  if (hasDebugOutput(context.store, job.id) || asksForDebugOutput(context, project, job)) throw forbidden();
}

function asksForDebugOutput(context: Context, project: ProjectRecord, job: CiJobRecord): boolean {
  const { store } = context;
  const pipeline = store.of(pipelines).get(job.pipeline_id) as PipelineRecord;
  const place = { job, pipeline, project, user: findUser(store, job.user_id) };
  const known = knownVariablesOf(context, place, "pipeline", { dotenv: dotenvOf(context, job) });
  try {
    return debugVariables.some((name) => known.get(name)?.toLowerCase() === "true");
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    // The runner makes of it what it will.
    return true;
  }
}
