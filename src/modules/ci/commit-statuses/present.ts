import type { Static } from "@sinclair/typebox";
import { findUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import { type PipelineRecord, pipelines } from "../pipelines/records.ts";
import type { CiJobRecord } from "../pipelines/records-jobs.ts";
import type { CommitStatus } from "./schema.ts";

/** commits 7: a job that another system or a runner has. */
export function presentCommitStatus(job: CiJobRecord, view: View): Static<typeof CommitStatus> {
  const { store } = view.context;
  const { sha, ref } = store.of(pipelines).get(job.pipeline_id) as PipelineRecord;
  const { id, status, name, created_at, started_at, finished_at, allow_failure, pipeline_id } = job;
  const author = findUser(store, job.user_id);
  return {
    id,
    sha,
    ref,
    status,
    name,
    target_url: job.external?.target_url ?? null,
    description: job.external?.description ?? null,
    created_at,
    started_at,
    finished_at,
    allow_failure,
    coverage: job.coverage ?? null,
    pipeline_id,
    author: author === undefined ? null : presentBasicUser(author, view),
  };
}
