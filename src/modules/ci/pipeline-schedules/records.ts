import { bitmap, collection, field, multi, ordered, type RecordOf, record } from "../../../store/index.ts";
import { PipelineVariable } from "../pipelines/records.ts";

/** A value for an input of the CI file. */
export const ScheduleInput = field.object({
  name: field.text,
  /** JSON. */
  value: field.text,
});
export type ScheduleInput = RecordOf<typeof ScheduleInput>;

/** Times at which a project runs a pipeline (schedules-environments 1). */
export const PipelineScheduleRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** null: the owner's account is deleted. */
  owner_id: field.nullable(field.whole),
  description: field.text,
  /** With its prefix: `refs/heads/main`. */
  ref: field.text,
  cron: field.text,
  cron_timezone: field.text,
  active: field.flag,
  /** null: it never runs by itself. */
  next_run_at: field.nullable(field.moment),
  /** The newest pipeline that it made, which may be deleted; left out before the first one. */
  last_pipeline_id: field.optional(field.whole),
  variables: field.listOf(PipelineVariable),
  inputs: field.listOf(ScheduleInput),
  created_at: field.moment,
  updated_at: field.moment,
});
export type PipelineScheduleRecord = RecordOf<typeof PipelineScheduleRecord>;

export const pipelineSchedules = collection("pipeline-schedules", PipelineScheduleRecord, {
  indexes: {
    project_id: multi(({ project_id }) => [project_id]),
    owner_id: multi(({ owner_id }) => (owner_id === null ? [] : [owner_id])),
    active: bitmap(({ active }) => [active ? "active" : "inactive"]),
    id: ordered(({ id }) => id),
  },
  secrets: { variables: { replace: [] } },
  references: { project_id: "projects", owner_id: "users" },
});
