import type { Static } from "@sinclair/typebox";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import { presentPipelineBasics } from "../pipelines/index.ts";
import { type PipelineVariable, pipelines } from "../pipelines/records.ts";
import type { PipelineScheduleRecord } from "./records.ts";
import type { ListedPipelineSchedule, PipelineSchedule, ScheduleVariable } from "./schema.ts";

/** schedules-environments 1.1. */
export function presentListedSchedule(
  schedule: PipelineScheduleRecord,
  view: View,
): Static<typeof ListedPipelineSchedule> {
  const { id, description, ref, cron, cron_timezone, next_run_at, active, created_at, updated_at, owner_id } = schedule;
  const owner = owner_id === null ? undefined : findUser(view.context.store, owner_id);
  return {
    ...{ id, description, ref, cron, cron_timezone, next_run_at, active, created_at, updated_at },
    owner: owner === undefined ? null : presentBasicUser(owner, view),
  };
}

export function presentSchedule(
  schedule: PipelineScheduleRecord,
  view: View,
  { withVariables }: { readonly withVariables: boolean },
): Static<typeof PipelineSchedule> {
  const { last_pipeline_id, variables, inputs } = schedule;
  const last = view.context.store.of(pipelines).get(last_pipeline_id ?? 0);
  return {
    ...presentListedSchedule(schedule, view),
    last_pipeline: last === undefined ? null : presentPipelineBasics(last, view),
    ...(withVariables
      ? {
          variables: variables.map((each) => presentScheduleVariable(each, view)),
          inputs: inputs.map(({ name, value }) => ({ name, value: JSON.parse(value) as unknown })),
        }
      : {}),
  };
}

export function presentScheduleVariable(variable: PipelineVariable, _: View): Static<typeof ScheduleVariable> {
  const { key, variable_type, value, raw } = variable;
  return { key, variable_type, value, raw: raw === true };
}
