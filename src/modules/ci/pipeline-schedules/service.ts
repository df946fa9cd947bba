import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { branchPrefix, tagPrefix } from "../../../git/index.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { placeOf } from "../../repositories/repositories/index.ts";
import { canUpdateRef, findRef } from "../pipelines/index.ts";
import { type PipelineRecord, pipelines } from "../pipelines/records.ts";
import { pipelineScheduleEvents } from "./events.ts";
import { isCronPattern, nextRunAt } from "./next-run.ts";
import { canReadSchedules } from "./policy.ts";
import { type PipelineScheduleRecord, pipelineSchedules, type ScheduleInput } from "./records.ts";
import type { NewSchedule, ScheduleChange } from "./schema.ts";
import { enqueueRun } from "./service-run.ts";
import { zoneNamed } from "./time-zones.ts";

const schedulesMax = 10;
const inputsMax = 100;
/** Characters of all inputs as JSON. */
const inputsLengthMax = 65_536;

/** `GET …/pipeline_schedules`, by id. Throws 403 for those who do not see them. */
export function listSchedules(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  scope: "active" | "inactive" | undefined,
  page: PageRequest,
): Page<PipelineScheduleRecord> {
  if (!canReadSchedules(context, user, project)) throw forbidden();
  const inScope = scope === undefined ? [] : [{ index: "active", key: scope } as const];
  const where = [{ index: "project_id", key: project.id } as const, ...inScope];
  return context.store.page(pipelineSchedules, { where, order: "id", descending: false, page });
}

/** Throws 404 for one of another project, and for those who do not see it. */
export function getSchedule(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  id: number,
): PipelineScheduleRecord {
  const schedule = context.store.of(pipelineSchedules).get(id);
  if (schedule?.project_id !== project.id || !canReadSchedules(context, user, project)) {
    throw notFound("Pipeline Schedule");
  }
  return schedule;
}

/** `GET …/pipeline_schedules/:id/pipelines`, by id. */
export function listScheduledPipelines(
  store: Store,
  { id }: PipelineScheduleRecord,
  page: PageRequest,
): Page<PipelineRecord> {
  const where = [{ index: "schedule_id", key: id } as const];
  return store.page(pipelines, { where, order: "id", descending: false, page });
}

/** `POST …/pipeline_schedules`: the caller is the owner. Throws 400, also for a ref that they may not update. */
export async function createSchedule(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { description, cron_timezone = "UTC", active = true, inputs = [], ...wanted }: NewSchedule,
): Promise<PipelineScheduleRecord> {
  const { store, clock } = context;
  const cron = wanted.cron.trim();
  requireValid({ description, cron, cron_timezone });
  const ref = await getRef(context, caller, project, wanted.ref, "create");
  return store.transact((tx) => {
    if (store.of(pipelineSchedules).by.project_id.find(project.id).size >= schedulesMax) {
      throw invalid({ base: [`Maximum number of ci pipeline schedules (${schedulesMax}) exceeded`] });
    }
    const now = toDateTime(clock.now());
    const schedule = insertRecord(tx, context, caller, pipelineScheduleEvents, {
      id: tx.nextId("pipeline_schedules"),
      project_id: project.id,
      owner_id: caller.user.id,
      ...{ description, ref, cron, cron_timezone, active },
      next_run_at: active ? nextRunAt(cron, cron_timezone, clock.now()) : null,
      variables: [],
      inputs: inputsAfter([], inputs),
      created_at: now,
      updated_at: now,
    });
    enqueueRun(tx, context, schedule);
    return schedule;
  });
}

/** `PUT …/pipeline_schedules/:id`. A new pattern or zone, and `active`, set the next run. Throws as `createSchedule`. */
export async function updateSchedule(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  before: PipelineScheduleRecord,
  change: ScheduleChange,
): Promise<PipelineScheduleRecord> {
  const { store, clock } = context;
  const { description = before.description, cron_timezone = before.cron_timezone } = change;
  const cron = change.cron?.trim() ?? before.cron;
  requireValid({ description, cron, cron_timezone });
  const ref = change.ref === undefined ? before.ref : await getRef(context, caller, project, change.ref, "update");
  return store.transact((tx) => {
    const current = store.of(pipelineSchedules).get(before.id);
    if (current === undefined) throw notFound("Pipeline Schedule");
    const active = change.active ?? current.active;
    const isTimeSame = cron === current.cron && cron_timezone === current.cron_timezone && active === current.active;
    const next = active ? nextRunAt(cron, cron_timezone, clock.now()) : null;
    const after = updateRecord(tx, context, caller, pipelineScheduleEvents, {
      ...current,
      ...{ description, ref, cron, cron_timezone, active },
      next_run_at: isTimeSame ? current.next_run_at : next,
      inputs: inputsAfter(current.inputs, change.inputs ?? []),
      updated_at: toDateTime(clock.now()),
    });
    if (!isTimeSame) enqueueRun(tx, context, after);
    return after;
  });
}

/** `POST …/take_ownership`. */
export function updateOwner(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
): PipelineScheduleRecord {
  const updated_at = toDateTime(context.clock.now());
  return context.store.transact((tx) =>
    updateRecord(tx, context, caller, pipelineScheduleEvents, { ...schedule, owner_id: caller.user.id, updated_at }),
  );
}

/** `DELETE …/pipeline_schedules/:id`: its pipelines stay. Throws 412. */
export function deleteSchedule(
  context: Context,
  caller: Caller,
  schedule: PipelineScheduleRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(schedule, unmodifiedSince);
  context.store.transact((tx) => removeRecord(tx, context, caller, pipelineScheduleEvents, schedule.id));
}

/** Throws 400 with every fault. */
function requireValid({
  description,
  cron,
  cron_timezone,
}: Pick<PipelineScheduleRecord, "description" | "cron" | "cron_timezone">): void {
  const cronFaults = [
    ...(cron === "" ? ["can't be blank"] : []),
    ...(isCronPattern(cron) ? [] : ["syntax is invalid"]),
  ];
  const faults = {
    ...(description.trim() === "" ? { description: ["can't be blank"] } : {}),
    ...(cronFaults.length > 0 ? { cron: cronFaults } : {}),
    ...(zoneNamed(cron_timezone) === undefined ? { cron_timezone: ["syntax is invalid"] } : {}),
  };
  if (Object.keys(faults).length > 0) throw invalid(faults);
}

/** The ref with its prefix. Throws 400 for a short name of both or neither, and where the caller may not update it. */
async function getRef(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  wanted: string,
  act: "create" | "update",
): Promise<string> {
  const isFull = wanted.startsWith(branchPrefix) || wanted.startsWith(tagPrefix);
  const found = await context.repositories.read(placeOf(project), (repository) => findRef(repository, wanted));
  if (typeof found === "string" && !isFull) throw invalid({ ref: ["is ambiguous"] });
  const tag = typeof found === "string" ? wanted.startsWith(tagPrefix) : found.tag;
  const ref = typeof found === "string" ? wanted.slice((tag ? tagPrefix : branchPrefix).length) : found.name;
  if (!canUpdateRef(context, user, project, { ref, tag })) {
    throw invalid({ base: [`The current user is not authorized to ${act} the pipeline schedule`] });
  }
  return `${tag ? tagPrefix : branchPrefix}${ref}`;
}

/** Inputs after a change, which replaces those of the same names. Throws 400 for too many or too long ones. */
function inputsAfter(
  before: readonly ScheduleInput[],
  changes: NonNullable<ScheduleChange["inputs"]>,
): readonly ScheduleInput[] {
  const byName = new Map(before.map((input) => [input.name, input]));
  for (const { name, value = null, destroy, _destroy } of changes) {
    if (destroy === true || _destroy === true) byName.delete(name);
    else byName.set(name, { name, value: JSON.stringify(value) });
  }
  const after = [...byName.values()];
  if (after.length > inputsMax) throw invalid({ inputs: [`are too many (maximum is ${inputsMax})`] });
  const length = after.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (length > inputsLengthMax) throw invalid({ inputs: [`are too long (maximum is ${inputsLengthMax} characters)`] });
  return after;
}
