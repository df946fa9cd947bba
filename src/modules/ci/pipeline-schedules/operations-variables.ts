import { accessLevels } from "../../../domain/access-level.ts";
import { forbidden } from "../../../domain/failure.ts";
import { pageOfAll } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { accepted, created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { canReadVariables, requireScheduleRemover, requireScheduleUpdater, requireVariableSetter } from "./policy.ts";
import { presentScheduleVariable } from "./present.ts";
import { CreateVariable, ScheduleInPath, ScheduleVariable, UpdateVariable, VariableInPath } from "./schema.ts";
import { getSchedule } from "./service.ts";
import { createVariable, deleteVariable, updateVariable } from "./service-variables.ts";

const path = "/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables";
const readers = inProject(accessLevels.none);

/** schedules-environments 1: the variables of a schedule. */
export const scheduleVariableOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the variables of a pipeline schedule",
    who: readers,
    params: ScheduleInPath,
    answer: pageOf(ScheduleVariable),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      if (!canReadVariables(context, caller.user, project, schedule)) throw forbidden();
      return pageOfAll(
        schedule.variables.map((each) => presentScheduleVariable(each, call)),
        page,
      );
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a variable of a pipeline schedule",
    who: readers,
    params: CreateVariable,
    answer: created(ScheduleVariable),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleUpdater(context, caller, project, schedule);
      requireVariableSetter(context, caller, project, schedule);
      return presentScheduleVariable(createVariable(context, caller, schedule, params), call);
    },
  }),

  operation({
    method: "PUT",
    path: `${path}/:key`,
    summary: "Update a variable of a pipeline schedule",
    who: readers,
    params: UpdateVariable,
    answer: ok(ScheduleVariable),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleUpdater(context, caller, project, schedule);
      requireVariableSetter(context, caller, project, schedule);
      return presentScheduleVariable(updateVariable(context, caller, schedule, params.key, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:key`,
    summary: "Delete a variable of a pipeline schedule",
    who: readers,
    params: VariableInPath,
    answer: accepted(ScheduleVariable),
    failures: ["forbidden", "precondition"],
    handle(call) {
      const { context, caller, project, params, unmodifiedSince } = call;
      const schedule = getSchedule(context, caller, project, params.pipeline_schedule_id);
      requireScheduleRemover(context, caller, project, schedule);
      return presentScheduleVariable(deleteVariable(context, caller, schedule, params.key, unmodifiedSince), call);
    },
  }),
];
