import type { Commit } from "../../../git/index.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, unique } from "../../../store/index.ts";
import type { JobStatus } from "./status.ts";

export const sources = [
  ...(["push", "web", "trigger", "schedule", "api", "external", "pipeline", "chat", "webide"] as const),
  ...(["merge_request_event", "external_pull_request_event", "parent_pipeline"] as const),
  ...(["ondemand_dast_scan", "ondemand_dast_validation", "security_orchestration_policy"] as const),
] as const;
export type PipelineSource = (typeof sources)[number];

export interface PipelineVariable {
  readonly variable_type: "env_var" | "file";
  readonly key: string;
  readonly value: string;
}

/** A pipeline of a project (triggers-and-pipelines 3). */
export interface PipelineRecord {
  readonly id: number;
  /** From 1 in each project. */
  readonly iid: number;
  readonly project_id: number;
  readonly sha: string;
  /** Without `refs/…/`. */
  readonly ref: string;
  readonly tag: boolean;
  readonly status: JobStatus;
  readonly source: PipelineSource;
  readonly name: string | null;
  readonly before_sha: string;
  readonly yaml_errors: string | null;
  readonly user_id: number;
  readonly commit: Commit;
  /** Those that were given. */
  readonly variables: readonly PipelineVariable[];
  /** Variables of the file and of `workflow: rules`. */
  readonly file_variables: Readonly<Record<string, string>>;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly started_at: DateTime | null;
  readonly finished_at: DateTime | null;
  /** The job whose token or `trigger:` made it. */
  readonly upstream_job_id?: number;
  /** The first of the hierarchy that it came into being in; left out for the first itself. */
  readonly root_pipeline_id?: number;
}

export const pipelines = collection<PipelineRecord>()("pipelines", {
  iid: unique((pipeline) => `${pipeline.project_id} ${pipeline.iid}`),
  project_id: multi((pipeline) => [pipeline.project_id]),
  ref: multi((pipeline) => [refKey(pipeline.project_id, pipeline.ref)]),
  sha: multi((pipeline) => [pipeline.sha]),
  user_id: multi((pipeline) => [pipeline.user_id]),
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
});

export function refKey(projectId: number, ref: string): string {
  return `${projectId} ${ref}`;
}
