import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { endJobs, makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { addMember } from "../../../groups-and-projects/setting.ts";
import { downstreamOf } from "../downstream.ts";
import { filesOf } from "../setting.ts";

const world = await startWorld();
const { dora, place, make, bridgesOf } = await downstreamOf(world);

async function runnerOf(id: number) {
  const token = await makeRunner(world, { runner_type: "project_type", project_id: id });
  return () => takeJob(world, token);
}

/** Runs a job that leaves an archive and a report. */
async function leave(job: Json | undefined): Promise<Json> {
  for (const [text, query] of [
    ["the archive", {}],
    [gzipSync("LEFT=here\n"), { artifact_type: "dotenv", artifact_format: "gzip" }],
  ] as const) {
    const multipart = new FormData();
    multipart.set("file", new File([text], "artifacts.zip"));
    const headers = { "JOB-TOKEN": job?.token };
    expect((await world.call("POST", `/jobs/${job?.id}/artifacts`, { multipart, query, headers })).status).toBe(201);
  }
  await finishJob(world, job as Json, { state: "success" });
  await world.jobsDone();
  return job as Json;
}

const download = (job: Json, token: string) =>
  world.call("GET", `/jobs/${job.id}/artifacts`, { headers: { "JOB-TOKEN": token } });

async function expectArtifactsOf(made: Json, job: Json | undefined): Promise<void> {
  const { id, name } = made.job_info;
  const artifacts_file = { filename: "artifacts.zip", size: 11 };
  expect(job?.dependencies).toEqual([{ id, name, token: job?.token, artifacts_file }]);
  expect(job?.variables).toContainEqual({ key: "LEFT", value: "here", public: false, masked: false });
  const { status, text } = await download(made, job?.token);
  expect([status, text]).toEqual([200, "the archive"]);
}

/** The state of the only job of the newest pipeline of a project. */
async function lastJob(id: number): Promise<Json> {
  const { body } = await world.get(`/projects/${id}/jobs?per_page=1`);
  return body[0];
}

const build = "build: {stage: build, script: x, artifacts: {paths: [a], reports: {dotenv: a.env}}}";
const missing = { status: "failed", failure_reason: "missing_dependency_failure" };

describe("needs of a job in another pipeline of the family", () => {
  const parent = (more: string) =>
    `${build}\nchild: {stage: test, variables: {PARENT: $CI_PIPELINE_ID}, trigger: {include: child.yml}}\n${more}`;

  async function family(child: string, more = "") {
    const at = await place(parent(more));
    await filesOf(world, at.id, rootToken).create("child.yml", { content: child, commit_message: "x [skip ci]" });
    return { ...at, take: await runnerOf(at.id) };
  }

  test("give the child the artifacts of its parent", async () => {
    const at = await family("inner: {script: x, needs: [{pipeline: $PARENT, job: build}]}");
    await make(at);
    const made = await leave(await at.take());
    await expectArtifactsOf(made, await at.take());
  });

  test("give nothing with artifacts: false", async () => {
    const at = await family("inner: {script: x, needs: [{pipeline: $PARENT, job: build, artifacts: false}]}");
    await make(at);
    await leave(await at.take());
    expect((await at.take())?.dependencies).toEqual([]);
  });

  for (const [what, need] of [
    ["a job that is not there", "{pipeline: $PARENT, job: other}"],
    ["the pipeline itself", "{pipeline: $CI_PIPELINE_ID, job: build}"],
    ["no pipeline", "{pipeline: none, job: build}"],
  ]) {
    test(`fail the job for ${what}`, async () => {
      const at = await family(`inner: {script: x, needs: [${need}]}`);
      await make(at);
      await leave(await at.take());
      expect(await at.take()).toBeUndefined();
      expect(await lastJob(at.id)).toMatchObject({ name: "inner", ...missing });
    });
  }

  test("fail the job for a pipeline of another family", async () => {
    const at = await family("inner: {script: x}");
    const { id } = await make(at);
    await leave(await at.take());
    await endJobs(world, (await bridgesOf(at, id))[0].downstream_pipeline.id, "success");
    await putCiFile(world, at.id, `late: {script: x, needs: [{pipeline: "${id}", job: build}]}`);
    await make(at);
    expect(await at.take()).toBeUndefined();
    expect(await lastJob(at.id)).toMatchObject({ name: "late", ...missing });
  });
});

describe("needs of a job in another project", () => {
  const needing = (path: string, more = "") =>
    `job: {script: x, needs: [{project: ${path}, ref: main, job: build, artifacts: true${more}}]}`;

  async function two(role: "developer" | "guest" | null = "developer", artifacts = "") {
    const there = await place(build.replace("paths: [a]", `paths: [a]${artifacts}`), null);
    if (role !== null) addMember(world, there, dora, role, "project");
    const here = await place(needing(there.path));
    const open = { token: rootToken, json: { enabled: false } };
    await world.call("PATCH", `/projects/${there.id}/job_token_scope`, open);
    await makePipeline(world, there.id);
    const made = await leave(await (await runnerOf(there.id))());
    return { there, here, made, take: await runnerOf(here.id) };
  }

  test("give the artifacts of the newest that succeeded", async () => {
    const { there, here, made, take } = await two();
    await makePipeline(world, there.id);
    await endJobs(world, (await world.get(`/projects/${there.id}/pipelines/latest`)).body.id, "failed");
    await make(here);
    await expectArtifactsOf(made, await take());
  });

  for (const [who, role, artifacts] of [
    ["does not see the project", null, ""],
    ["may not read its jobs", "guest", ""],
    ["may not read the artifacts", "developer", ", access: maintainer"],
  ] as const) {
    test(`fail the job of a user who ${who}`, async () => {
      const { there, here, made, take } = await two(role, artifacts);
      if (role === "guest") {
        await world.call("PUT", `/projects/${there.id}`, { token: rootToken, json: { public_jobs: false } });
      }
      await make(here);
      expect(await take()).toBeUndefined();
      expect(await lastJob(here.id)).toMatchObject(missing);
      await putCiFile(world, here.id, "job: {script: x}");
      await make(here);
      expect((await download(made, (await take())?.token)).status).toBe(403);
    });
  }

  test("fail the job of a project that is not on the list", async () => {
    const { there, here, take } = await two();
    const json = { enabled: true };
    await world.call("PATCH", `/projects/${there.id}/job_token_scope`, { token: rootToken, json });
    await make(here);
    expect(await take()).toBeUndefined();
    expect(await lastJob(here.id)).toMatchObject(missing);
  });

  test("fail the job for another ref", async () => {
    const { there, here, take } = await two();
    await putCiFile(world, here.id, needing(there.path).replace("ref: main", "ref: other"));
    await make(here);
    expect(await take()).toBeUndefined();
    expect(await lastJob(here.id)).toMatchObject(missing);
  });
});
