import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type CiJobRecord, ciJobs } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { appendLog } from "../../../support/ci/runner.ts";
import { alterJob, putRunningJob } from "../../../support/ci/running-job.ts";
import { putTrigger } from "../../../support/ci/triggers.ts";
import type { MakeSample, Place, Samples, Scene } from "../scene.ts";

export function pipelineSamples({ world, fresh }: Scene): Samples {
  const triggers = (json?: () => object): MakeSample => {
    return (_, place) => ({
      path: `/projects/${place.projectId}/triggers`,
      ...(json === undefined ? {} : { options: { json: json() } }),
    });
  };
  /** A fresh one of the caller's own, for only owners change theirs. */
  const onTrigger = (json?: () => object): MakeSample => {
    return (caller, { projectId }) => {
      const { id } = putTrigger(world, projectId, caller.id);
      const path = `/projects/${projectId}/triggers/${id}`;
      return json === undefined ? { path } : { path, options: { json: json() } };
    };
  };
  const prepared = new Map<number, Promise<void>>();
  /** Every place has a CI file. */
  const prepare = ({ projectId }: Place) => {
    const preparing = prepared.get(projectId) ?? putCiFile(world, projectId, "job: {script: x}");
    prepared.set(projectId, preparing);
    return preparing;
  };
  const pipeline = (end = ""): MakeSample => {
    return async (_, place) => {
      await prepare(place);
      const { id } = await makePipeline(world, place.projectId, { ref: "main" });
      return { path: `/projects/${place.projectId}/pipelines/${id}${end}` };
    };
  };
  /** A job of a fresh pipeline, in the state in which the action finds it. */
  const onJob = (end = "", attributes: Partial<CiJobRecord> = {}): MakeSample => {
    return async (_, place) => {
      await prepare(place);
      const { id } = await makePipeline(world, place.projectId, { ref: "main" });
      const documents = world.store.of(ciJobs);
      const job = documents.get([...documents.by.pipeline_id.find(id)][0] as number) as CiJobRecord;
      world.store.transact((tx) => tx.update(ciJobs, { ...job, ...attributes }));
      return { path: `/projects/${place.projectId}/jobs/${job.id}${end}` };
    };
  };
  /** An ended job that left a log. */
  const ended = (end: string): MakeSample => {
    return async (_, { projectId }) => {
      const { job, token } = putRunningJob(world, projectId, 1);
      await appendLog(world, { ...job, token }, "done", 0);
      alterJob(world, job, { status: "success" });
      return { path: `/projects/${projectId}/jobs/${job.id}${end}` };
    };
  };
  const run = (ref: string): MakeSample => {
    return async (_, place) => {
      await prepare(place);
      const { token } = putTrigger(world, place.projectId, 1);
      return { path: `/projects/${place.projectId}/${ref}trigger/pipeline`, options: { form: { token, ref: "main" } } };
    };
  };
  return {
    "GET /projects/:id/pipelines": (_, place) => ({ path: `/projects/${place.projectId}/pipelines` }),
    "GET /projects/:id/pipelines/latest": async (_, place) => {
      await prepare(place);
      return { path: `/projects/${place.projectId}/pipelines/latest?ref=main` };
    },
    "GET /projects/:id/pipelines/:pipeline_id": pipeline(),
    "GET /projects/:id/pipelines/:pipeline_id/jobs": pipeline("/jobs"),
    "GET /projects/:id/pipelines/:pipeline_id/bridges": pipeline("/bridges"),
    "GET /-/projects/:id/pipelines/:pipeline_id/needs": async (caller, place) => ({
      path: `/-${(await pipeline("/needs")(caller, place)).path}`,
    }),
    "GET /projects/:id/pipelines/:pipeline_id/variables": {
      make: pipeline("/variables"),
      expected: ({ level }) => (level < accessLevels.maintainer ? 403 : undefined),
    },
    "POST /projects/:id/pipelines/:pipeline_id/cancel": pipeline("/cancel"),
    "POST /projects/:id/pipelines/:pipeline_id/retry": pipeline("/retry"),
    "DELETE /projects/:id/pipelines/:pipeline_id": pipeline(),
    "PUT /projects/:id/pipelines/:pipeline_id/metadata": async (caller, place) => ({
      ...(await pipeline("/metadata")(caller, place)),
      options: { json: { name: "x" } },
    }),
    "GET /projects/:id/ci/lint": {
      make: async (_, place) => {
        await prepare(place);
        return { path: `/projects/${place.projectId}/ci/lint` };
      },
      expected: ({ level }, { visibility }) =>
        visibility === "private" && level < accessLevels.reporter ? 403 : undefined,
    },
    "POST /projects/:id/ci/lint": (_, place) => ({
      path: `/projects/${place.projectId}/ci/lint`,
      options: { json: { content: "job: {script: x}" } },
    }),
    "POST /projects/:id/pipeline": async (_, place) => {
      await prepare(place);
      return { path: `/projects/${place.projectId}/pipeline`, options: { json: { ref: "main" } } };
    },
    "GET /job": () => ({ path: "/job" }),
    "GET /projects/:id/jobs": (_, place) => ({ path: `/projects/${place.projectId}/jobs` }),
    "GET /projects/:id/jobs/:job_id": onJob(),
    "GET /projects/:id/jobs/:job_id/trace": onJob("/trace"),
    "POST /projects/:id/jobs/:job_id/cancel": onJob("/cancel"),
    "POST /projects/:id/jobs/:job_id/retry": onJob("/retry", { status: "failed" }),
    "POST /projects/:id/jobs/:job_id/erase": {
      make: ended("/erase"),
      expected: ({ level }) => (level < accessLevels.maintainer ? 403 : undefined),
    },
    "POST /projects/:id/jobs/:job_id/play": onJob("/play", { status: "manual" }),
    "POST /projects/:id/trigger/pipeline": run(""),
    "POST /projects/:id/ref/:ref/trigger/pipeline": run("ref/main/"),
    "GET /projects/:id/triggers": triggers(),
    "POST /projects/:id/triggers": triggers(() => ({ description: fresh() })),
    "GET /projects/:id/triggers/:trigger_id": onTrigger(),
    "PUT /projects/:id/triggers/:trigger_id": onTrigger(() => ({ description: fresh() })),
    "DELETE /projects/:id/triggers/:trigger_id": onTrigger(),
  };
}
