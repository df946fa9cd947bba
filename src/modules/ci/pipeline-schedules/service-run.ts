/** The runs of schedules: each due time is a job, which makes one pipeline and sets the next time in one transaction. */

import { accessLevels } from "../../../domain/access-level.ts";
import { type CallerUser, type SignedInCaller, theServer } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access } from "../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { findUser, WriteQuota } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import {
  baseUrlOf,
  canSetVariables,
  hasJobsEnabled,
  insertPipeline,
  type PlannedPipeline,
  planPipeline,
} from "../pipelines/index.ts";
import { pipelineScheduleEvents } from "./events.ts";
import { nextRunAt } from "./next-run.ts";
import { type PipelineScheduleRecord, pipelineSchedules } from "./records.ts";

interface DueRun {
  readonly schedule_id: number;
  /** The `next_run_at` that it is for: a schedule that has changed since has another one. */
  readonly due_at: string;
}

/** Enqueues the next run of a schedule, if there is one. */
export function enqueueRun(
  tx: Transaction,
  context: Pick<Context, "clock">,
  { id, next_run_at }: PipelineScheduleRecord,
): void {
  if (next_run_at === null) return;
  const payload: DueRun = { schedule_id: id, due_at: next_run_at };
  enqueueJob(tx, context, { kind: scheduledRun.kind, due_at: next_run_at, payload });
}

/** Runs a schedule that is due. A server that was stopped for several due times runs it once. */
export const scheduledRun: JobKind = jobKind<DueRun>({
  kind: "pipeline_schedule",
  concurrency: 4,
  async run({ context, payload, complete }) {
    const { store, clock } = context;
    const due = findDue(context, payload);
    if (due === undefined) return;
    const runner = findRunner(context, due);
    const planned = runner === undefined ? undefined : await planRun(context, due, runner);
    store.transact((tx) => {
      const schedule = findDue(context, payload);
      if (schedule !== undefined) {
        const isRunnable = findRunner(context, schedule) !== undefined;
        const pipeline =
          planned !== undefined && isRunnable
            ? insertPipeline(tx, context, planned, { schedule_id: schedule.id })
            : undefined;
        const next = nextRunAt(
          schedule.cron,
          schedule.cron_timezone,
          Math.max(clock.now(), Date.parse(payload.due_at)),
        );
        const after = updateRecord(tx, context, theServer, pipelineScheduleEvents, {
          ...schedule,
          active: isRunnable,
          next_run_at: isRunnable ? next : null,
          ...(pipeline === undefined ? {} : { last_pipeline_id: pipeline.id }),
          ...(isRunnable ? {} : { updated_at: toDateTime(clock.now()) }),
        });
        enqueueRun(tx, context, after);
      }
      complete(tx);
    });
  },
});

/** `POST …/play`: runs it at once, as the caller. A refused pipeline is no error. */
export async function playSchedule(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
  project: ProjectRecord,
): Promise<void> {
  const planned = await planRun(context, schedule, { user: caller.user, project });
  if (planned === undefined) return;
  context.store.transact((tx) => {
    const current = context.store.of(pipelineSchedules).get(schedule.id);
    if (current === undefined) return;
    const { id } = insertPipeline(tx, context, planned, { schedule_id: current.id });
    updateRecord(tx, context, caller, pipelineScheduleEvents, { ...current, last_pipeline_id: id });
  });
}

/** The user as whom a schedule runs, and its project. */
interface Runner {
  readonly user: CallerUser;
  readonly project: ProjectRecord;
}

function findDue({ store }: Context, { schedule_id, due_at }: DueRun): PipelineScheduleRecord | undefined {
  const schedule = store.of(pipelineSchedules).get(schedule_id);
  return schedule?.active === true && schedule.next_run_at === due_at ? schedule : undefined;
}

/** undefined: the schedule can run no more, as its owner is blocked or no developer any more, or its project archived. */
function findRunner(context: Context, { owner_id, project_id }: PipelineScheduleRecord): Runner | undefined {
  const { store } = context;
  const user = owner_id === null ? undefined : findUser(store, owner_id);
  const project = store.of(projects).get(project_id);
  if (user?.state !== "active" || project === undefined || !hasJobsEnabled(project)) return undefined;
  const access = context.get(Access);
  if (access.isBeingDeleted({ project }) || access.levelInProject(user, project) < accessLevels.developer) {
    return undefined;
  }
  return { user, project };
}

/**
 * undefined: no pipeline is made, as there is no CI file, no job for it, no room for the user's changes, or no right of the user to
 * set variables.
 */
async function planRun(
  context: Context,
  { id, ref, variables, inputs }: PipelineScheduleRecord,
  { user, project }: Runner,
): Promise<PlannedPipeline | undefined> {
  if (context.get(WriteQuota).isUsedUp(user)) return undefined;
  if (variables.length > 0 && !canSetVariables(context, user, project)) return undefined;
  try {
    return await planPipeline(context, {
      ...{ project, user, ref, source: "schedule", variables: [], addedVariables: variables },
      inputs: Object.fromEntries(inputs.map(({ name, value }) => [name, JSON.parse(value) as unknown])),
      scheduleId: id,
      baseUrl: baseUrlOf(context),
    });
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") return undefined;
    throw error;
  }
}
