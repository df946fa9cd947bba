import type { Static } from "@sinclair/typebox";
import type { Commit } from "../../../../git/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import { findUser, presentUser } from "../../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { View } from "../../../kernel/view.ts";
import { presentCommit } from "../../../repositories/repositories/index.ts";
import { presentArtifacts } from "../../job-artifacts/index.ts";
import { traceEnd } from "../../job-logs/index.ts";
import { presentTakers } from "../../runners/index.ts";
import { canReadPipeline } from "../policy.ts";
import { presentListedPipeline, presentPipelineBasics } from "../present.ts";
import { type PipelineRecord, pipelines } from "../records.ts";
import type { CiJobRecord } from "../records-jobs.ts";
import type { Bridge, CiJob, JobBasics } from "../schema.ts";
import { finished } from "../status.ts";

/** A list repeats the message of one commit for each of its jobs: the commit itself shows longer ones. */
const listedMessageMax = 16_384;

/** A bridge, or a job in the list of its runner. */
export function presentListedJobBasics(job: CiJobRecord, view: View): Static<typeof JobBasics> {
  return presentJobBasics(job, view, { messageMax: listedMessageMax });
}

/** triggers-and-pipelines 4, in a list. */
export function presentListedJob(job: CiJobRecord, view: View): Static<typeof CiJob> {
  return presentCiJob(job, view, { messageMax: listedMessageMax });
}

interface PresentOptions {
  readonly messageMax?: number | undefined;
}

/** triggers-and-pipelines 4, as a user sees it. */
export function presentCiJob(job: CiJobRecord, view: View, options: PresentOptions = {}): Static<typeof CiJob> {
  const files = presentArtifacts(job.id, view);
  return {
    ...presentJobBasics(job, view, options),
    ...files,
    artifacts: [...files.artifacts, ...logArtifactOf(job, view)],
    ...presentTakers(job, view),
    archived: false,
    tag_list: job.tag_list,
  };
}

function presentJobBasics(
  job: CiJobRecord,
  view: View,
  { messageMax = Infinity }: PresentOptions,
): Static<typeof JobBasics> {
  const { context, baseUrl } = view;
  const { store, clock } = context;
  const project = store.of(projects).get(job.project_id) as ProjectRecord;
  const pipeline = store.of(pipelines).get(job.pipeline_id) as PipelineRecord;
  const projectPath = projectPathOf(store, project);
  const owner = findUser(store, job.user_id);
  const { id, status, stage, name, allow_failure, created_at, queued_at, started_at, finished_at, erased_at } = job;
  const seconds = (from: string, to: string | null) => (Date.parse(to ?? "") || clock.now()) - Date.parse(from);
  return {
    id,
    status,
    stage,
    name,
    ref: pipeline.ref,
    tag: pipeline.tag,
    coverage: job.coverage ?? null,
    allow_failure,
    created_at,
    started_at,
    finished_at,
    erased_at,
    duration: started_at === null ? null : seconds(started_at, finished_at) / 1000,
    queued_duration: queued_at === null ? null : seconds(queued_at, started_at ?? finished_at) / 1000,
    user: owner === undefined ? null : presentUser(owner, view),
    commit: presentCommit(shortened(pipeline.commit, messageMax), view, { projectPath }),
    pipeline: presentPipelineBasics(pipeline, view),
    ...(status === "failed" ? { failure_reason: job.failure_reason ?? "script_failure" } : {}),
    web_url: `${baseUrl}/${projectPath}/-/jobs/${id}`,
    project: { ci_job_token_scope_enabled: false },
  };
}

/** The log of an ended job, as one of its artifacts; nothing for a job that logged nothing. */
function logArtifactOf({ id, status }: CiJobRecord, { context: { store } }: View) {
  const { size } = traceEnd(store, id);
  if (size === 0 || !finished.includes(status)) return [];
  return [{ file_type: "trace", size, filename: "job.log", file_format: "raw" }];
}

function shortened(commit: Commit, messageMax: number): Commit {
  if (commit.message.length <= messageMax) return commit;
  return { ...commit, message: `${commit.message.slice(0, messageMax).toWellFormed()}…` };
}

/** A bridge with the pipeline that it made, if the caller may read that. */
export function presentBridge(
  { job, downstream }: { readonly job: CiJobRecord; readonly downstream: PipelineRecord | undefined },
  view: View,
): Static<typeof Bridge> {
  const {
    context,
    caller: { user },
  } = view;
  const isSeen = downstream !== undefined && canReadPipeline(context, user, downstream);
  return {
    ...presentListedJobBasics(job, view),
    downstream_pipeline: isSeen ? presentListedPipeline(downstream, view) : null,
  };
}
