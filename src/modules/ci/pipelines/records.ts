import type { Commit } from "../../../git/index.ts";
import {
  bitmap,
  collection,
  type Field,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  unique,
} from "../../../store/index.ts";
import { jobFailureWords, newCommitWords } from "../ci-config/records.ts";
import { statuses } from "./status.ts";

export const sources = [
  ...(["push", "web", "trigger", "schedule", "api", "external", "pipeline", "chat", "webide"] as const),
  ...(["merge_request_event", "external_pull_request_event", "parent_pipeline"] as const),
  ...(["ondemand_dast_scan", "ondemand_dast_validation", "security_orchestration_policy"] as const),
] as const;
export type PipelineSource = (typeof sources)[number];

export const PipelineVariable = field.object({
  variable_type: field.oneOf("env_var", "file"),
  key: field.text,
  value: field.text,
  /** A `$` in it means nothing; left out for others. */
  raw: field.optional(field.oneOf(true)),
});
export type PipelineVariable = RecordOf<typeof PipelineVariable>;

const person = field.object({
  name: field.text,
  email: field.text,
  timestamp: field.whole,
  timezoneOffset: field.number,
});

const commit = field.object({
  oid: field.text,
  message: field.text,
  tree: field.text,
  parent: field.listOf(field.text),
  changes: field.optional(field.listOf(field.listOf(field.nullable(field.text)))),
  author: person,
  committer: person,
  gpgsig: field.optional(field.text),
}) as Field<unknown> as Field<Commit>;

/** A pipeline of a project (triggers-and-pipelines 3). */
export const PipelineRecord = record({
  id: field.whole,
  /** Counts from 1 in each project. */
  iid: field.whole,
  project_id: field.whole,
  sha: field.text,
  /** The message of an annotated tag; left out for others. */
  tag_message: field.optional(field.text),
  /** The beginning of the trigger token that made it. */
  trigger_short_token: field.optional(field.text),
  /** A rule protected its ref when it was made. */
  ref_protected: field.optional(field.flag),
  /** The name without `refs/…/`. */
  ref: field.text,
  tag: field.flag,
  status: field.oneOf(...statuses),
  source: field.oneOf(...sources),
  name: field.nullable(field.text),
  before_sha: field.text,
  yaml_errors: field.nullable(field.text),
  user_id: field.whole,
  commit,
  /** Variables that the caller gave. */
  variables: field.listOf(PipelineVariable),
  /** Variables of the file and of `workflow: rules`. */
  file_variables: field.mapOf(field.text),
  /** Names of those variables that are not expanded; left out for none. */
  raw_file_variables: field.optional(field.listOf(field.text)),
  /** `workflow: auto_cancel`; left out where the file says nothing. */
  auto_cancel: field.optional(
    field.object({
      on_new_commit: field.optional(field.oneOf(...newCommitWords)),
      on_job_failure: field.optional(field.oneOf(...jobFailureWords)),
    }),
  ),
  created_at: field.moment,
  updated_at: field.moment,
  started_at: field.nullable(field.moment),
  finished_at: field.nullable(field.moment),
  /** The schedule that made it. */
  schedule_id: field.optional(field.whole),
  /** The job whose token or `trigger:` made it. */
  upstream_job_id: field.optional(field.whole),
  /** The first of the hierarchy that it came into being in; left out for the first itself. */
  root_pipeline_id: field.optional(field.whole),
});
export type PipelineRecord = RecordOf<typeof PipelineRecord>;

export const pipelines = collection("pipelines", PipelineRecord, {
  indexes: {
    iid: unique((pipeline) => `${pipeline.project_id} ${pipeline.iid}`),
    project_id: multi((pipeline) => [pipeline.project_id]),
    ref: multi((pipeline) => [refKey(pipeline.project_id, pipeline.ref)]),
    sha: multi((pipeline) => [pipeline.sha]),
    user_id: multi((pipeline) => [pipeline.user_id]),
    schedule_id: multi(({ schedule_id: id }) => (id === undefined ? [] : [id])),
    upstream_job_id: multi(({ upstream_job_id: id }) => (id === undefined ? [] : [id])),
    root_pipeline_id: multi(({ root_pipeline_id: id }) => (id === undefined ? [] : [id])),
    name: multi((pipeline) => (pipeline.name === null ? [] : [pipeline.name])),
    status: bitmap((pipeline) => [pipeline.status]),
    source: bitmap((pipeline) => [pipeline.source]),
    flag: bitmap((pipeline) => [
      ...(pipeline.tag ? ["tag"] : []),
      ...(pipeline.yaml_errors === null ? [] : ["yaml errors"]),
    ]),
    id: ordered((pipeline) => pipeline.id),
    status_order: ordered((pipeline) => pipeline.status),
    ref_order: ordered((pipeline) => pipeline.ref),
    user_order: ordered((pipeline) => pipeline.user_id),
    created_at: ordered((pipeline) => pipeline.created_at),
    updated_at: ordered((pipeline) => pipeline.updated_at),
  },
  secrets: { variables: { replace: [] }, trigger_short_token: "public" },
  iidSequence: ({ project_id }) => `pipelines of project ${project_id}`,
  references: { project_id: "projects" },
});

export function refKey(projectId: number, ref: string): string {
  return `${projectId} ${ref}`;
}
