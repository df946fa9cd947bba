import { Failure } from "../../../domain/failure.ts";
import type { Context } from "../../kernel/context.ts";
import { awaitTrace } from "../job-logs/index.ts";
import { failureReasons } from "../pipelines/index.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";
import { recordContactOfJob } from "../runners/index.ts";
import { getRunningJob } from "./service-running-job.ts";
import { finishJob } from "./service-timeout.ts";

/** A runner's report about its job. */
export interface JobUpdate {
  readonly token: string | undefined;
  /** `running` changes nothing. */
  readonly state: string | undefined;
  readonly failure_reason: string | undefined;
  readonly exit_code: number | undefined;
  /** Bytes of the whole log, if the runner sends them. */
  readonly logSize: number | undefined;
}

/**
 * `PUT /jobs/:id`: ends the job, and its token with it; not yet while the log is shorter than the runner says, for some
 * minutes. A job that is canceling is canceled then. Throws 403, and 400 for another state.
 */
export function updateJob(
  context: Context,
  id: number,
  update: JobUpdate,
): { readonly job: CiJobRecord; readonly isAccepted: boolean } {
  const job = getRunningJob(context, id, update.token);
  recordContactOfJob(context, job.runner_id, job.runner_manager_id);
  if (update.state === "running") return { job, isAccepted: false };
  if (update.state !== "success" && update.state !== "failed") {
    throw new Failure(
      "invalid",
      { message: "400 Bad request" },
      { headers: { "Job-Status": job.status }, isBareStatus: true },
    );
  }
  if (awaitTrace(context, job, update.logSize ?? 0)) return { job, isAccepted: true };
  return { job: end(context, job, update, update.state), isAccepted: false };
}

function end(context: Context, job: CiJobRecord, update: JobUpdate, state: "success" | "failed"): CiJobRecord {
  const exit_code = update.exit_code === undefined ? {} : { exit_code: update.exit_code };
  if (job.status === "canceling") {
    return context.store.transact((tx) => finishJob(tx, context, job, "canceled", exit_code));
  }
  if (state === "success") return context.store.transact((tx) => finishJob(tx, context, job, "success", exit_code));
  const failure_reason = failureReasons.find((known) => known === update.failure_reason) ?? "unknown_failure";
  const isAllowed = job.config.allowed_exit_codes?.includes(update.exit_code ?? Number.NaN) === true;
  const allow_failure = job.allow_failure || isAllowed;
  return context.store.transact((tx) =>
    finishJob(tx, context, job, "failed", { failure_reason, allow_failure, ...exit_code }),
  );
}
