import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import { coverageOfPipeline } from "./jobs/service-coverage.ts";
import type { PipelineRecord } from "./records.ts";
import { ciJobs } from "./records-jobs.ts";
import type { ListedPipeline, Pipeline, PipelineBasics } from "./schema.ts";
import { listCurrentJobs } from "./service-progress.ts";
import type { JobStatus } from "./status.ts";

/** The fields of a pipeline in lists (triggers-and-pipelines 3). */
export function presentPipelineBasics(
  pipeline: PipelineRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof PipelineBasics> {
  const { id, iid, project_id, sha, ref, status, source, created_at, updated_at } = pipeline;
  const web_url = `${baseUrl}/${pathOf(store, pipeline)}/-/pipelines/${id}`;
  return { id, iid, project_id, sha, ref, status, source, created_at, updated_at, web_url };
}

export function presentListedPipeline(pipeline: PipelineRecord, view: View): Static<typeof ListedPipeline> {
  return { ...presentPipelineBasics(pipeline, view), name: pipeline.name };
}

/** The whole pipeline, with the times of its jobs. */
export function presentPipeline(pipeline: PipelineRecord, view: View): Static<typeof Pipeline> {
  const {
    context: { store },
  } = view;
  const { before_sha, tag, yaml_errors, user_id, started_at, finished_at, created_at, commit } = pipeline;
  const user = findUser(store, user_id);
  return {
    ...presentListedPipeline(pipeline, view),
    before_sha,
    tag,
    yaml_errors,
    user: user === undefined ? null : presentBasicUser(user, view),
    started_at,
    finished_at,
    committed_at: toDateTime(commit.committer.timestamp * 1000),
    duration: started_at === null || finished_at === null ? null : secondsWorked(store, pipeline.id),
    queued_duration: started_at === null ? null : Math.round((Date.parse(started_at) - Date.parse(created_at)) / 1000),
    coverage: coverageOfPipeline(store, pipeline.id),
    detailed_status: detailedStatus(
      pipeline.status,
      `/${pathOf(store, pipeline)}/-/pipelines/${pipeline.id}`,
      hasWarnings(store, pipeline),
    ),
  };
}

function pathOf(store: Store, { project_id }: PipelineRecord): string {
  return projectPathOf(store, store.of(projects).get(project_id) as ProjectRecord);
}

/** Time in which a job ran, whole seconds; two at once count once. */
function secondsWorked(store: Store, pipelineId: number): number {
  const documents = store.of(ciJobs);
  const spans = [...documents.by.pipeline_id.find(pipelineId)]
    .map((id) => documents.get(id))
    .flatMap((job) => (job?.started_at && job.finished_at ? [[job.started_at, job.finished_at].map(Date.parse)] : []))
    .sort(([one = 0], [other = 0]) => one - other);
  let total = 0;
  let until = 0;
  for (const [start = 0, end = 0] of spans) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return Math.round(total / 1000);
}

const words: Readonly<Partial<Record<JobStatus, readonly [text: string, label: string]>>> = {
  success: ["Passed", "passed"],
  manual: ["Blocked", "waiting for manual action"],
  scheduled: ["Delayed", "waiting for delayed job"],
  waiting_for_resource: ["Waiting", "waiting for resource"],
};

/** True when a job with `allow_failure` failed. */
function hasWarnings(store: Store, { id, status }: PipelineRecord): boolean {
  if (status !== "success") return false;
  return listCurrentJobs(store, id).some(
    (job) => job.allow_failure && (job.status === "failed" || job.status === "canceled"),
  );
}

function detailedStatus(status: JobStatus, path: string, isWarning: boolean) {
  const plain = words[status] ?? [`${status.slice(0, 1).toUpperCase()}${status.slice(1)}`, status];
  const [text, label] = isWarning ? ["Warning", "passed with warnings"] : plain;
  return {
    icon: isWarning ? "status_warning" : `status_${status}`,
    text,
    label,
    group: isWarning ? "success-with-warnings" : status.replaceAll("_", "-"),
    tooltip: label,
    has_details: true,
    details_path: path,
    illustration: null,
    favicon: `/assets/ci_favicons/favicon_status_${status}.png`,
  };
}
