import { noOid } from "../../../src/git/index.ts";
import { digestOf } from "../../../src/lib/token-digest.ts";
import { type PipelineRecord, pipelines } from "../../../src/modules/ci/pipelines/records.ts";
import { type CiJobRecord, ciJobs } from "../../../src/modules/ci/pipelines/records-jobs.ts";
import type { World } from "../fixtures/world.ts";

export interface RunningJob {
  readonly token: string;
  readonly job: CiJobRecord;
  readonly pipeline: PipelineRecord;
}

const person = { name: "Ines", email: "ines@people.example", timestamp: 0, timezoneOffset: 0 };

/** A job of a pipeline of its own that runs for a user, straight in the store, with its token. */
export function putRunningJob(
  { store, clock, context }: World,
  projectId: number,
  userId: number,
  attributes: Partial<CiJobRecord> = {},
): RunningJob {
  const token = `glcbt-${context.randomness.token(20)}`;
  const now = clock.time();
  return store.transact((tx) => {
    const pipeline = tx.insert(pipelines, {
      id: tx.nextId("pipelines"),
      iid: tx.nextId(`pipelines of project ${projectId}`),
      project_id: projectId,
      sha: noOid,
      ref: "main",
      tag: false,
      status: "running",
      source: "push",
      name: null,
      before_sha: noOid,
      yaml_errors: null,
      user_id: userId,
      commit: { oid: noOid, tree: noOid, parent: [], message: "", author: person, committer: person },
      variables: [],
      file_variables: {},
      created_at: now,
      updated_at: now,
      started_at: now,
      finished_at: null,
    });
    const none = { image: null, services: null, artifacts: null, cache: null };
    const job = tx.insert(ciJobs, {
      id: tx.nextId("ci_jobs"),
      pipeline_id: pipeline.id,
      project_id: projectId,
      user_id: userId,
      name: "job",
      stage: "test",
      stage_idx: 0,
      status: "running",
      when: "on_success",
      start_in: null,
      allow_failure: false,
      needs: null,
      tag_list: [],
      is_bridge: false,
      config: { script: ["true"], before_script: [], after_script: [], ...none, variables: {} },
      created_at: now,
      queued_at: now,
      scheduled_at: null,
      started_at: now,
      finished_at: null,
      erased_at: null,
      failure_reason: null,
      token_digest: digestOf(token),
      ...attributes,
    });
    return { token, job, pipeline };
  });
}

/** Changes a job straight in the store, such as its status. */
export function alterJob({ store }: World, { id }: CiJobRecord, attributes: Partial<CiJobRecord>): void {
  const job = store.of(ciJobs).get(id);
  if (job === undefined) throw new Error(`no job ${id}`);
  store.transact((tx) => tx.update(ciJobs, { ...job, ...attributes }));
}
