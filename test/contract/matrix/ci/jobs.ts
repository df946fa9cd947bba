import { insertArtifact } from "../../../../src/modules/ci/job-artifacts/index.ts";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import type { CiJobRecord } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { genericPath, makePackage } from "../../../support/ci/packages.ts";
import { putRunningJob } from "../../../support/ci/running-job.ts";
import { zipOf } from "../../../support/ci/zip.ts";
import type { World } from "../../../support/fixtures/world.ts";
import type { MadeSamples, MakeSample, Scene } from "../scene.ts";

/** Calls about jobs that run, or have run. */
export function jobSamples({ world, fresh }: Scene): MadeSamples {
  const onArtifacts = (end: string): MakeSample => {
    return async (_, { projectId }) => {
      const { job } = putRunningJob(world, projectId, 1);
      await putArchive(world, job);
      return { path: `/projects/${projectId}/jobs/${job.id}/artifacts${end}` };
    };
  };
  const ofRef = (end: string): MakeSample => {
    return async (_, { projectId }) => {
      const { job, pipeline } = putRunningJob(world, projectId, 1, { status: "success" });
      world.store.transact((tx) => tx.update(pipelines, { ...pipeline, status: "success", ref: fresh() }));
      await putArchive(world, job);
      const ref = world.store.of(pipelines).get(pipeline.id)?.ref;
      return { path: `/projects/${projectId}/jobs/artifacts/${ref}/${end}?job=${job.name}` };
    };
  };
  return {
    "PATCH /jobs/:id/trace": (_, { projectId }) => {
      const { job, token } = putRunningJob(world, projectId, 1);
      const headers = { "JOB-TOKEN": token, "Content-Range": "0-1" };
      return { path: `/jobs/${job.id}/trace`, options: { raw: "x", headers } };
    },
    "POST /jobs/:id/artifacts": (_, { projectId }) => {
      const { job, token } = putRunningJob(world, projectId, 1);
      const multipart = new FormData();
      multipart.set("file", new File(["x"], "artifacts.zip"));
      return { path: `/jobs/${job.id}/artifacts`, options: { multipart, headers: { "JOB-TOKEN": token } } };
    },
    "GET /jobs/:id/artifacts": async (_, { projectId }) => {
      const { job, token } = putRunningJob(world, projectId, 1);
      await putArchive(world, job);
      return { path: `/jobs/${job.id}/artifacts`, options: { headers: { "JOB-TOKEN": token } } };
    },
    "POST /projects/:id/jobs/:job_id/erase": async (_, { projectId }) => {
      const { job } = putRunningJob(world, projectId, 1, { status: "success" });
      await putArchive(world, job);
      return { path: `/projects/${projectId}/jobs/${job.id}/erase` };
    },
    "GET /projects/:id/jobs/:job_id/artifacts": onArtifacts(""),
    "DELETE /projects/:id/jobs/:job_id/artifacts": onArtifacts(""),
    "POST /projects/:id/jobs/:job_id/artifacts/keep": onArtifacts("/keep"),
    "GET /projects/:id/jobs/:job_id/artifacts/*artifact_path": onArtifacts("/a.txt"),
    "GET /projects/:id/jobs/artifacts/:ref_name/download": ofRef("download"),
    "GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path": ofRef("raw/a.txt"),
    "GET /projects/:id/packages/:package_id/pipelines": async (_, { projectId }) => {
      const { id, file } = await makePackage(world, projectId);
      for (let count = 0; count < 3; count += 1) {
        const { token } = putRunningJob(world, projectId, 1);
        await world.call("PUT", genericPath(projectId, file), { headers: { "JOB-TOKEN": token }, raw: "bytes" });
      }
      return { path: `/projects/${projectId}/packages/${id}/pipelines` };
    },
    "PUT /jobs/:id": (_, { projectId }) => {
      const { job, token } = putRunningJob(world, projectId, 1);
      return { path: `/jobs/${job.id}`, options: { json: { token, state: "success" } } };
    },
  };
}

async function putArchive({ store, context }: World, job: CiJobRecord): Promise<void> {
  const blob = await store.blobs.put([zipOf({ "a.txt": "x" })]);
  const artifact = {
    job_id: job.id,
    project_id: job.project_id,
    file_type: "archive",
    file_format: "zip",
    filename: "artifacts.zip",
  };
  store.transact((tx) => insertArtifact(tx, context, artifact, blob, undefined));
  blob.release();
}
