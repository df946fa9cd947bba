import { accessLevels } from "../../../../src/domain/access-level.ts";
import { insertArtifact } from "../../../../src/modules/ci/job-artifacts/index.ts";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import type { CiJobRecord } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { type RunnerRecord, runners } from "../../../../src/modules/ci/runners/records.ts";
import { shownRunnersToken } from "../../../../src/modules/core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { makeRunner } from "../../../support/ci/runner.ts";
import { putRunningJob } from "../../../support/ci/running-job.ts";
import { zipOf } from "../../../support/ci/zip.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import type { World } from "../../../support/fixtures/world.ts";
import type { MakeSample, Samples, Scene } from "../scene.ts";

export function runnerSamples({ world, fresh }: Scene): Samples {
  const { group: makeGroup, project: makeProject, member } = placesOf(world);
  /** Paused, so that it takes no job from anybody. */
  const asRunner = (path: string): MakeSample => {
    return async () => ({
      path,
      options: { json: { token: await makeRunner(world, { paused: true }), system_id: "s_1" } },
    });
  };
  const groupOf = (personId: number) => {
    const group = makeGroup({ path: fresh() });
    member(group, personId, accessLevels.owner);
    return { runner_type: "group_type", group_id: group.id };
  };
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
  /** A runner of a group of the caller's own. */
  const onRunner = (end = "", json?: object): MakeSample => {
    return (caller) => {
      const of = putRunner(world, groupOf(caller.id));
      return { path: `/runners/${of.id}${end}`, ...(json === undefined ? {} : { options: { json } }) };
    };
  };
  return {
    "POST /runners": (_, { projectId }) => {
      const project = world.store.of(projects).get(projectId) as ProjectRecord;
      return { path: "/runners", options: { json: { token: shownRunnersToken({ project }) } } };
    },
    "POST /runners/reset_registration_token": () => ({ path: "/runners/reset_registration_token" }),
    "POST /projects/:id/runners/reset_registration_token": (_, { projectId }) => ({
      path: `/projects/${projectId}/runners/reset_registration_token`,
    }),
    "POST /groups/:id/runners/reset_registration_token": (_, { groupId }) => ({
      path: `/groups/${groupId}/runners/reset_registration_token`,
    }),
    "POST /projects/:id/runners": ({ id }, { projectId }) => {
      const other = makeProject(makeGroup({ path: fresh() }).id);
      member(other, id, accessLevels.maintainer);
      const runner_id = putRunner(world, { project_ids: [other.id] }).id;
      return { path: `/projects/${projectId}/runners`, options: { json: { runner_id } } };
    },
    "DELETE /projects/:id/runners/:runner_id": (_, { projectId }) => {
      const other = makeProject(makeGroup({ path: fresh() }).id);
      const { id } = putRunner(world, { project_ids: [other.id, projectId] });
      return { path: `/projects/${projectId}/runners/${id}` };
    },
    "GET /runners/:id/managers": onRunner("/managers"),
    "GET /runners/:id/jobs": onRunner("/jobs"),
    "GET /runners": () => ({ path: "/runners" }),
    "GET /runners/all": () => ({ path: "/runners/all" }),
    "GET /projects/:id/runners": (_, { projectId }) => ({ path: `/projects/${projectId}/runners` }),
    "GET /groups/:id/runners": (_, place) => ({ path: `/groups/${place.groupId}/runners` }),
    "GET /runners/:id": onRunner(),
    "PUT /runners/:id": onRunner("", { paused: true }),
    "DELETE /runners/:id": onRunner(),
    "POST /runners/:id/reset_authentication_token": onRunner("/reset_authentication_token"),
    "POST /user/runners": ({ id }) => ({ path: "/user/runners", options: { json: groupOf(id) } }),
    "POST /runners/verify": asRunner("/runners/verify"),
    "DELETE /runners": asRunner("/runners"),
    "DELETE /runners/managers": asRunner("/runners/managers"),
    "POST /runners/reset_authentication_token": asRunner("/runners/reset_authentication_token"),
    "POST /jobs/request": asRunner("/jobs/request"),
    "GET /oauth/discovery/keys": () => ({ path: "/oauth/discovery/keys" }),
    "GET /.well-known/openid-configuration": () => ({ path: "/.well-known/openid-configuration" }),
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
    "GET /projects/:id/jobs/:job_id/artifacts": onArtifacts(""),
    "DELETE /projects/:id/jobs/:job_id/artifacts": onArtifacts(""),
    "DELETE /projects/:id/artifacts": (_, { projectId }) => ({ path: `/projects/${projectId}/artifacts` }),
    "POST /projects/:id/jobs/:job_id/artifacts/keep": onArtifacts("/keep"),
    "GET /projects/:id/jobs/:job_id/artifacts/*artifact_path": onArtifacts("/a.txt"),
    "GET /projects/:id/jobs/artifacts/:ref_name/download": ofRef("download"),
    "GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path": ofRef("raw/a.txt"),
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

/** Of the group if there is one, else of the projects; nobody has its token. */
function putRunner({ store, clock, context }: World, of: { group_id?: number; project_ids?: number[] }): RunnerRecord {
  const { group_id = null, project_ids = [] } = of;
  const now = clock.time();
  return store.transact((tx) =>
    tx.insert(runners, {
      id: tx.nextId("runners"),
      digest: context.randomness.token(20),
      runner_type: group_id === null ? "project_type" : "group_type",
      group_id,
      project_ids,
      ...{ description: null, maintenance_note: null, paused: true, locked: false, run_untagged: true, tag_list: [] },
      ...{ access_level: "not_protected", maximum_timeout: null, creator_id: null, contacted_at: null },
      created_at: now,
      updated_at: now,
    }),
  );
}
