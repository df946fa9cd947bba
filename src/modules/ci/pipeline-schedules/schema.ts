import { type Static, Type } from "@sinclair/typebox";
import {
  boolean,
  hash,
  idInPath,
  list,
  longText,
  oneOf,
  optional,
  projectId,
  text,
} from "../../../domain/parameters.ts";
import { BasicUser } from "../../core/users/index.ts";
import { PipelineBasics } from "../pipelines/index.ts";

const moment = () => Type.String({ format: "date-time" });
const variableTypes = ["env_var", "file"] as const;

/** A variable of a schedule (schedules-environments 1.1). */
export const ScheduleVariable = Type.Object(
  { key: Type.String(), variable_type: Type.String(), value: Type.String(), raw: Type.Boolean() },
  { $id: "PipelineScheduleVariable" },
);

const listed = {
  id: Type.Integer(),
  description: Type.String(),
  ref: Type.String(),
  cron: Type.String({ description: "Pattern of the times, five fields" }),
  cron_timezone: Type.String({ description: "Time zone of the pattern" }),
  next_run_at: Type.Union([moment(), Type.Null()]),
  active: Type.Boolean(),
  created_at: moment(),
  updated_at: moment(),
  owner: Type.Union([BasicUser, Type.Null()]),
};

export const ListedPipelineSchedule = Type.Object(listed, { $id: "ListedPipelineSchedule" });

export const PipelineSchedule = Type.Object(
  {
    ...listed,
    last_pipeline: Type.Union([PipelineBasics, Type.Null()]),
    variables: Type.Optional(
      Type.Array(ScheduleVariable, { description: "only for the owner of the schedule, and for maintainers" }),
    ),
    inputs: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.Unknown() }), {
        description: "only for the owner of the schedule, and for maintainers",
      }),
    ),
  },
  { $id: "PipelineSchedule" },
);

const inputs = {
  inputs: optional(
    list(
      hash({
        name: text(),
        value: optional(Type.Unknown()),
        destroy: optional(boolean({ description: "true: removes the input" })),
        _destroy: optional(boolean({ deprecated: true, description: "older name of destroy" })),
      }),
      { maxItems: 100, description: "values for the inputs of the CI file" },
    ),
  ),
};

export const SchedulesInPath = Type.Object({
  id: projectId(),
  scope: optional(oneOf(["active", "inactive"])),
});
export const ScheduleInPath = Type.Object({ id: projectId(), pipeline_schedule_id: idInPath("schedule id") });
export const CreateSchedule = Type.Object({
  id: projectId(),
  description: text(),
  ref: text({ allowBlank: false, description: "branch or tag" }),
  cron: text({ description: "five fields, such as 0 1 * * *" }),
  cron_timezone: optional(text({ description: "name of a time zone; UTC by default" })),
  active: optional(boolean()),
  ...inputs,
});
export const UpdateSchedule = Type.Object({
  ...ScheduleInPath.properties,
  description: optional(text()),
  ref: optional(text({ description: "branch or tag" })),
  cron: optional(text({ description: "five fields, such as 0 1 * * *" })),
  cron_timezone: optional(text({ description: "name of a time zone; UTC by default" })),
  active: optional(boolean()),
  ...inputs,
});
export type NewSchedule = Omit<Static<typeof CreateSchedule>, "id">;
export type ScheduleChange = Omit<Static<typeof UpdateSchedule>, "id" | "pipeline_schedule_id">;

const variableInPath = { ...ScheduleInPath.properties, key: text({ description: "letters, digits and _" }) };
export const VariableInPath = Type.Object(variableInPath);
export const CreateVariable = Type.Object({
  ...variableInPath,
  value: longText(),
  variable_type: optional(oneOf(variableTypes)),
  raw: optional(boolean()),
});
export const UpdateVariable = Type.Object({
  ...variableInPath,
  value: optional(longText()),
  variable_type: optional(oneOf(variableTypes)),
  raw: optional(boolean()),
});
export type NewVariable = Pick<Static<typeof CreateVariable>, "key" | "value" | "variable_type" | "raw">;
export type VariableChange = Pick<Static<typeof UpdateVariable>, "value" | "variable_type" | "raw">;
