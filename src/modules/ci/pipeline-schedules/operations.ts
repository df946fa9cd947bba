import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { ListedPipeline, presentListedPipeline, requireRefUpdater } from "../pipelines/index.ts";
import {
  canReadVariables,
  refNameOf,
  requireScheduleRemover,
  requireScheduleTaker,
  requireScheduleUpdater,
} from "./policy.ts";
import { presentListedSchedule, presentSchedule } from "./present.ts";
import {
  CreateSchedule,
  ListedPipelineSchedule,
  PipelineSchedule,
  ScheduleInPath,
  SchedulesInPath,
  UpdateSchedule,
} from "./schema.ts";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduledPipelines,
  listSchedules,
  updateOwner,
  updateSchedule,
} from "./service.ts";
import { playSchedule } from "./service-run.ts";

const path = "/projects/:id/pipeline_schedules";
const onePath = `${path}/:pipeline_schedule_id`;
const readers = inProject(accessLevels.none);
const developers = inProject(accessLevels.developer, { first: true });

/** schedules-environments 1. */
export const scheduleOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the pipeline schedules of a project",
    who: readers,
    params: SchedulesInPath,
    answer: pageOf(ListedPipelineSchedule),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listSchedules(context, caller, project, params.scope, page);
      return mapPage(found, (schedule) => presentListedSchedule(schedule, call));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a pipeline schedule",
    who: readers,
    params: ScheduleInPath,
    answer: ok(PipelineSchedule),
    handle(call) {
      const { context, caller, project, params } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      const withVariables = canReadVariables(context, caller.user, project, schedule);
      return presentSchedule(schedule, call, { withVariables });
    },
  }),

  operation({
    method: "GET",
    path: `${onePath}/pipelines`,
    summary: "List the pipelines of a schedule",
    who: readers,
    params: ScheduleInPath,
    answer: pageOf(ListedPipeline),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      const found = listScheduledPipelines(context.store, schedule, page);
      return mapPage(found, (pipeline) => presentListedPipeline(pipeline, call));
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a pipeline schedule",
    who: developers,
    params: CreateSchedule,
    answer: created(PipelineSchedule),
    failures: ["invalid"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const schedule = await createSchedule(context, caller, project, params);
      return presentSchedule(schedule, call, { withVariables: true });
    },
  }),

  operation({
    method: "PUT",
    path: onePath,
    summary: "Update a pipeline schedule",
    who: readers,
    params: UpdateSchedule,
    answer: ok(PipelineSchedule),
    failures: ["forbidden", "invalid"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleUpdater(context, caller, project, schedule);
      requireRefUpdater(context, caller, project, refNameOf(schedule));
      const after = await updateSchedule(context, caller, project, schedule, params);
      return presentSchedule(after, call, { withVariables: true });
    },
  }),

  operation({
    method: "POST",
    path: `${onePath}/take_ownership`,
    summary: "Become the owner of a pipeline schedule",
    who: readers,
    params: ScheduleInPath,
    answer: created(PipelineSchedule),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleTaker(context, caller, project, schedule);
      return presentSchedule(updateOwner(context, caller, schedule), call, { withVariables: true });
    },
  }),

  operation({
    method: "POST",
    path: `${onePath}/play`,
    summary: "Run a pipeline schedule at once",
    who: developers,
    params: ScheduleInPath,
    answer: created(Type.Object({ message: Type.String() })),
    async handle({ context, caller, project, params }) {
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireRefUpdater(context, caller, project, refNameOf(schedule));
      await playSchedule(context, caller, schedule, project);
      return { message: "201 Created" };
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a pipeline schedule",
    who: readers,
    params: ScheduleInPath,
    answer: noContent(),
    failures: ["forbidden", "precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleRemover(context, caller, project, schedule);
      deleteSchedule(context, caller, schedule, unmodifiedSince);
    },
  }),
];
