import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();
const ci = "a: {script: x, after_script: [tidy]}\nb: {stage: deploy, script: x}";

async function running(features: object) {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const pipeline = await makePipeline(world, id);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const job: Json = await takeJob(world, runner, { info: { features } });
  const path = `/projects/${id}/jobs/${job.id}`;
  return {
    id: id as number,
    job,
    cancel: (json: object = {}, token = rootToken) => world.call("POST", `${path}/cancel`, { token, json }),
    cancelPipeline: () => world.call("POST", `/projects/${id}/pipelines/${pipeline.id}/cancel`, { token: rootToken }),
    status: async () => (await world.get(path)).body.status,
    pipelineStatus: async () => (await world.get(`/projects/${id}/pipelines/${pipeline.id}`)).body.status,
  };
}

describe("a canceled job of a runner with cancel_gracefully", () => {
  test("is canceling until its runner ends it, and its token works meanwhile", async () => {
    const { job, cancel, status, pipelineStatus } = await running({ cancel_gracefully: true });
    expect((await cancel()).body.status).toBe("canceling");
    expect((await cancel()).body.status).toBe("canceling");
    expect(await pipelineStatus()).toBe("running");
    const log = await appendLog(world, job, "tidy\n", 0);
    expect([log.status, log.headers.get("job-status")]).toEqual([202, "canceling"]);
    const update = await finishJob(world, job, { state: "running" });
    expect([update.status, update.headers.get("job-status")]).toEqual([200, "canceling"]);
    expect((await world.call("GET", "/job", { headers: { "JOB-TOKEN": job.token } })).status).toBe(200);
    const end = await finishJob(world, job, { state: "success" });
    expect([end.status, await status(), await pipelineStatus()]).toEqual([200, "canceled", "canceled"]);
    expect((await finishJob(world, job, { state: "success" })).status).toBe(403);
  });

  test("is canceled, not failed, when its runner says that it failed", async () => {
    const { job, cancelPipeline, status } = await running({ cancel_gracefully: true });
    await cancelPipeline();
    expect(await status()).toBe("canceling");
    await finishJob(world, job, { state: "failed", failure_reason: "script_failure" });
    expect(await status()).toBe("canceled");
  });

  test("ends when a maintainer forces it, or after its time", async () => {
    const forced = await running({ cancel_gracefully: true });
    const developer = await world.user();
    await world.call("POST", `/projects/${forced.id}/members`, {
      token: rootToken,
      json: { user_id: developer.id, access_level: accessLevels.developer },
    });
    expect((await forced.cancel({ force: true })).body.status).toBe("running");
    await forced.cancel();
    expect((await forced.cancel({ force: true }, developer.token)).status).toBe(403);
    expect((await forced.cancel({ force: true })).body.status).toBe("canceled");
    const silent = await running({ cancel_gracefully: true });
    await silent.cancel();
    world.clock.advance(3_660_000);
    await world.jobsDone();
    expect(await silent.status()).toBe("canceled");
  });
});

test("a canceled job of another runner ends at once", async () => {
  const { job, cancel, pipelineStatus } = await running({});
  expect((await cancel()).body.status).toBe("canceled");
  const log = await appendLog(world, job, "more", 0);
  expect([log.status, log.headers.get("job-status"), await pipelineStatus()]).toEqual([403, "canceled", "canceled"]);
});

test.each(["unmet_prerequisites", "job_execution_timeout", "runner_system_failure", "script_failure"])(
  "the reason %s of a failure is kept",
  async (failure_reason) => {
    const { job, id } = await running({});
    await finishJob(world, job, { state: "failed", failure_reason });
    expect((await world.get(`/projects/${id}/jobs/${job.id}`)).body.failure_reason).toBe(failure_reason);
  },
);

test("an unknown reason of a failure, or none, is unknown_failure; an unknown state is 400", async () => {
  for (const json of [{ failure_reason: "what_is_this" }, {}]) {
    const { job, id } = await running({});
    expect((await finishJob(world, job, { state: "unheard of" })).status).toBe(400);
    await finishJob(world, job, { state: "failed", ...json });
    expect((await world.get(`/projects/${id}/jobs/${job.id}`)).body.failure_reason).toBe("unknown_failure");
  }
});
