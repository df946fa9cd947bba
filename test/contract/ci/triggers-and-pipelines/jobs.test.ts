import { describe, expect, test } from "bun:test";
import { type CiJobRecord, ciJobs } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { endJobs, makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { putRunningJob } from "../../../support/ci/running-job.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();
const dev = await world.user({ name: "Dora Lindt", username: "dora" });
const guest = await world.user();

async function project(ci = "a: {stage: build, script: a, tags: [linux]}\nb: {script: b}") {
  const made = await makeProject(world);
  addMember(world, made, dev, "developer", "project");
  addMember(world, made, guest, "guest", "project");
  await putCiFile(world, made.id, ci);
  const ask = (method: string, end: string, token: string | undefined = dev.token) =>
    world.call(method, `/projects/${made.id}${end}`, { token });
  const make = () => makePipeline(world, made.id, {}, dev.token);
  const jobs = async (): Promise<Json> => (await ask("GET", "/jobs")).body;
  const job = async (name: string) => (await jobs()).find((each: Json) => each.name === name);
  return { id: made.id as number, path: made.path_with_namespace as string, ask, make, jobs, job };
}

const put = (id: number, attributes: Partial<CiJobRecord>) =>
  world.store.transact((tx) =>
    tx.update(ciJobs, { ...(world.store.of(ciJobs).get(id) as CiJobRecord), ...attributes }),
  );

/** A runner takes a job of the project and writes to its log. */
async function takeWithLog(projectId: number): Promise<Json> {
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: projectId, tag_list: ["linux"] });
  const job = await takeJob(world, runner);
  if (job === undefined) throw new Error("no job");
  await appendLog(world, job, "done", 0);
  return job;
}

describe("a job", () => {
  test("has every field of the page", async () => {
    const { id, path, ask, make, job } = await project();
    const pipeline = await make();
    const a = await job("a");
    const [commit] = (await world.get(`/projects/${id}/repository/commits`)).body;
    const { iid, project_id, sha, ref, source, created_at, updated_at, web_url } = pipeline;
    expect(a.user).not.toHaveProperty("email");
    expect(a).toEqual({
      id: a.id,
      status: "pending",
      stage: "build",
      name: "a",
      ref: "main",
      tag: false,
      coverage: null,
      allow_failure: false,
      created_at: world.clock.time(),
      started_at: null,
      finished_at: null,
      erased_at: null,
      duration: null,
      queued_duration: 0,
      user: expect.objectContaining({ ...pipeline.user, bio: "", job_title: "", bot: false, followers: 0 }),
      commit,
      pipeline: {
        id: pipeline.id,
        iid,
        project_id,
        sha,
        ref,
        status: "pending",
        source,
        created_at,
        updated_at,
        web_url,
      },
      web_url: `${world.origin}/${path}/-/jobs/${a.id}`,
      project: { ci_job_token_scope_enabled: false },
      artifacts: [],
      runner: null,
      runner_manager: null,
      artifacts_expire_at: null,
      archived: false,
      tag_list: ["linux"],
    });
    expect((await ask("GET", `/jobs/${a.id}`)).body).toEqual(a);
    put(a.id, { status: "failed", failure_reason: "script_failure" });
    expect((await ask("GET", `/jobs/${a.id}`)).body.failure_reason).toBe("script_failure");
    const elsewhere = await project();
    for (const end of [`/jobs/${a.id}`, "/jobs/999999", "/jobs/-1"]) {
      expect((await elsewhere.ask("GET", end)).body).toEqual({ message: "404 Not found" });
    }
  });

  test("is not retried in a pipeline of 5,000 jobs", async () => {
    const { ask, make, job } = await project();
    await make();
    const a = await job("a");
    put(a.id, { status: "failed" });
    const record = world.store.of(ciJobs).get(a.id) as CiJobRecord;
    world.store.transact((tx) => {
      for (let count = world.store.of(ciJobs).by.pipeline_id.find(record.pipeline_id).size; count < 5_000; count += 1) {
        tx.insert(ciJobs, { ...record, id: tx.nextId("ci_jobs"), name: "other", is_retried: true });
      }
    });
    const { status, body } = await ask("POST", `/jobs/${a.id}/retry`);
    expect({ status, body }).toEqual({
      status: 403,
      body: { message: "403 Forbidden - Job is not retryable: its pipeline has too many jobs" },
    });
    const path = `/projects/${record.project_id}/pipelines/${record.pipeline_id}`;
    expect((await world.call("DELETE", path, { token: rootToken })).status).toBe(204);
  });

  test("is canceled, and retried as a new one that later jobs wait for", async () => {
    const { ask, make, job, jobs } = await project();
    await make();
    const a = await job("a");
    expect((await ask("POST", `/jobs/${a.id}/retry`)).body).toEqual({
      message: "403 Forbidden - Job is not retryable",
    });
    const canceled = await ask("POST", `/jobs/${a.id}/cancel`);
    expect([canceled.status, canceled.body.status, canceled.body.pipeline.status]).toEqual([
      201,
      "canceled",
      "canceled",
    ]);
    expect((await job("b")).status).toBe("skipped");
    const again = await ask("POST", `/jobs/${a.id}/retry`);
    expect([again.status, again.body.status, again.body.id > a.id]).toEqual([201, "pending", true]);
    expect((await job("b")).status).toBe("created");
    expect(await jobs()).toHaveLength(3);
    expect((await ask("POST", `/jobs/${a.id}/retry`)).status).toBe(403);
    expect((await ask("POST", `/jobs/${a.id}/cancel`, guest.token)).status).toBe(403);
  });

  test("shows the whole message of its commit, and lists the beginning of a long one", async () => {
    const { id, ask, make, job } = await project();
    const message = `Add a job\n\n${"why ".repeat(5000)}[skip ci]`;
    await putCiFile(world, id, "long: {script: x}", { message });
    const { id: pipelineId } = await make();
    const listed = await job("long");
    const [ofPipeline] = (await ask("GET", `/pipelines/${pipelineId}/jobs`)).body;
    for (const { commit } of [listed, ofPipeline]) {
      expect([commit.title, commit.message]).toEqual(["Add a job", `${message.slice(0, 16_384)}…`]);
    }
    expect((await ask("GET", `/jobs/${listed.id}`)).body.commit.message).toBe(message);
  });

  test("that is manual is played, and no other", async () => {
    const { ask, make, job } = await project(
      "a: {script: x, when: manual, allow_failure: false}\nb: {stage: deploy, script: x}",
    );
    await make();
    const a = await job("a");
    expect([a.status, a.pipeline.status]).toEqual(["manual", "manual"]);
    const played = await ask("POST", `/jobs/${a.id}/play`);
    expect([played.status, played.body.status]).toEqual([200, "pending"]);
    const twice = await ask("POST", `/jobs/${a.id}/play`);
    expect([twice.status, twice.body]).toEqual([400, { message: "400 Bad request - Unplayable Job" }]);
  });

  test("belongs to the user who played it, with their variables", async () => {
    const { id, ask, make, job } = await project("a: {script: x, when: manual}");
    const other = await world.user();
    addMember(world, { id }, other, "developer", "project");
    await make();
    const a = await job("a");
    const play = (variables: object[]) =>
      world.call("POST", `/projects/${id}/jobs/${a.id}/play`, {
        token: other.token,
        json: { job_variables_attributes: variables },
      });
    const odd = await play([{ key: "A B", value: "x" }]);
    expect([odd.status, odd.body.message.base[0]]).toEqual([
      400,
      "Failed to persist the pipeline: Validation failed: Variables key can contain only letters, digits and '_'.",
    ]);
    expect((await play([{ key: "A" }])).status).toBe(400);
    expect((await play([{ key: "A", value: "x".repeat(10_001) }])).status).toBe(400);
    const played = await play([{ key: "PLAYED", value: "yes" }]);
    expect([played.status, played.body.status, played.body.user.id]).toEqual([200, "pending", other.id]);
    const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
    expect((await takeJob(world, runner))?.variables).toContainEqual(
      expect.objectContaining({ key: "PLAYED", value: "yes" }),
    );
    await ask("POST", `/jobs/${a.id}/cancel`);
    expect((await ask("POST", `/jobs/${a.id}/retry`)).body.user.id).toBe(dev.id);
    expect((await takeJob(world, runner))?.variables).toContainEqual(
      expect.objectContaining({ key: "GITLAB_USER_LOGIN", value: "dora" }),
    );
  });

  test("is played with variables by users who may set them, and retried only where pipelines may be created", async () => {
    const { id, ask, make, job } = await project("a: {script: x, when: manual}");
    const { id: pipelineId } = await make();
    const a = await job("a");
    const change = async (json: object) =>
      expect((await world.call("PUT", `/projects/${id}`, { token: rootToken, json })).status).toBe(200);
    const play = (json: object) => world.call("POST", `/projects/${id}/jobs/${a.id}/play`, { token: dev.token, json });
    const tries = async () => [
      (await play({})).status,
      (await ask("POST", `/jobs/${a.id}/retry`)).status,
      (await ask("POST", `/pipelines/${pipelineId}/retry`)).status,
    ];
    await change({ ci_pipeline_variables_minimum_override_role: "maintainer" });
    expect((await play({ job_variables_attributes: [{ key: "A", value: "x" }] })).status).toBe(403);
    await change({ builds_access_level: "disabled" });
    expect(await tries()).toEqual([403, 403, 403]);
    await change({ builds_access_level: "enabled" });
    expect((await world.call("POST", `/projects/${id}/archive`, { token: rootToken })).status).toBe(201);
    expect(await tries()).toEqual([403, 403, 403]);
    expect((await world.call("POST", `/projects/${id}/unarchive`, { token: rootToken })).status).toBe(201);
    expect((await play({})).status).toBe(200);
  });

  test("that was played runs again at once on its retry, and waits again on its pipeline's retry", async () => {
    const { ask, make, job } = await project("a: {script: x, when: manual, allow_failure: false}\nb: {script: x}");
    const pipeline = await make();
    const { id } = await job("a");
    await ask("POST", `/jobs/${id}/play`);
    await endJobs(world, pipeline.id, "failed");
    const again = await ask("POST", `/jobs/${id}/retry`);
    expect([again.status, again.body.status, (await job("a")).status]).toEqual([201, "pending", "pending"]);
    await endJobs(world, pipeline.id, "failed");
    await ask("POST", `/pipelines/${pipeline.id}/retry`);
    expect([(await job("a")).status, (await job("b")).status]).toEqual(["manual", "pending"]);
  });

  test("that was delayed runs at once on its retry", async () => {
    const { ask, make, job } = await project("a: {script: x, when: delayed, start_in: 1 hour}");
    await make();
    const { id, status } = await job("a");
    expect(status).toBe("scheduled");
    await ask("POST", `/jobs/${id}/cancel`);
    expect((await ask("POST", `/jobs/${id}/retry`)).body.status).toBe("pending");
  });

  test("that needs an unplayed manual job is skipped, and waits for it again once it is played", async () => {
    const { ask, make, jobs, job } = await project("a: {script: a, when: manual}\nb: {script: b, needs: [a]}");
    const pipeline = await make();
    const statuses = async () => (await jobs()).map((each: Json) => `${each.name} ${each.status}`).sort();
    expect(await statuses()).toEqual(["a manual", "b skipped"]);
    expect((await ask("POST", `/jobs/${(await job("a")).id}/play`)).status).toBe(200);
    expect(await statuses()).toEqual(["a pending", "b created"]);
    await endJobs(world, pipeline.id, "success");
    expect(await statuses()).toEqual(["a success", "b success"]);
  });

  test("is erased once, after its end", async () => {
    const { id: projectId, ask, make } = await project();
    await make();
    const job = await takeWithLog(projectId);
    const { id } = job;
    expect((await ask("POST", `/jobs/${id}/erase`)).status).toBe(403);
    await finishJob(world, job, { state: "success" });
    const erased = await ask("POST", `/jobs/${id}/erase`);
    expect([erased.status, erased.body.erased_at]).toEqual([201, world.clock.time()]);
    expect((await ask("POST", `/jobs/${id}/erase`)).status).toBe(403);
  });

  test("without a log and artifacts is not erased", async () => {
    const { ask, make, job } = await project();
    await make();
    const { id } = await job("a");
    put(id, { status: "success" });
    const { status, body } = await ask("POST", `/jobs/${id}/erase`);
    expect([status, body]).toEqual([403, { message: "403 Forbidden - Job is not erasable!" }]);
  });

  test("of another user is erased by maintainers", async () => {
    const { id: projectId, ask, make } = await project();
    const [other, maintainer] = [await world.user(), await world.user()];
    addMember(world, { id: projectId }, other, "developer", "project");
    addMember(world, { id: projectId }, maintainer, "maintainer", "project");
    await make();
    const job = await takeWithLog(projectId);
    const { id } = job;
    await finishJob(world, job, { state: "success" });
    expect((await ask("POST", `/jobs/${id}/erase`, other.token)).body).toEqual({ message: "403 Forbidden" });
    expect((await ask("POST", `/jobs/${id}/erase`, maintainer.token)).status).toBe(201);
  });
});

describe("reading", () => {
  test("takes a signed-in user, in public projects too, or the token of a job", async () => {
    const { id, ask, make, job } = await project();
    const pipeline = await make();
    const a = await job("a");
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { visibility: "public" } });
    for (const end of ["/jobs", `/jobs/${a.id}`, `/jobs/${a.id}/trace`]) {
      const { status, body } = await world.call("GET", `/projects/${id}${end}`);
      expect([status, body]).toEqual([401, { message: "401 Unauthorized" }]);
    }
    expect((await world.call("GET", `/projects/${id}/pipelines/${pipeline.id}/jobs`)).status).toBe(200);
    expect((await ask("GET", `/jobs/${a.id}/trace`)).headers.get("content-disposition")).toBe(
      `infile; filename="${a.id}.log"`,
    );
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { visibility: "private" } });
    const headers = { "JOB-TOKEN": putRunningJob(world, id, dev.id).token };
    for (const end of ["/jobs", `/pipelines/${pipeline.id}/jobs`]) {
      expect((await world.call("GET", `/projects/${id}${end}`, { headers })).status).toBe(200);
    }
    const named = await world.call("PUT", `/projects/${id}/pipelines/${pipeline.id}/metadata`, {
      headers,
      json: { name: "Named by a job" },
    });
    expect([named.status, named.body.name]).toEqual([200, "Named by a job"]);
  });

  test("shows the log of an ended job among its artifacts", async () => {
    const { id, ask, make, job } = await project("a: {script: a}");
    await make();
    const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
    const taken = (await takeJob(world, runner)) as Json;
    await appendLog(world, taken, "Hello\n", 0);
    expect((await job("a")).artifacts).toEqual([]);
    await finishJob(world, taken, { state: "success" });
    const log = { file_type: "trace", size: 6, filename: "job.log", file_format: "raw" };
    expect((await job("a")).artifacts).toEqual([log]);
    expect((await ask("GET", `/jobs/${taken.id}`)).body.artifacts).toEqual([log]);
    expect((await ask("POST", `/jobs/${taken.id}/erase`)).body.artifacts).toEqual([]);
  });
});

describe("the list", () => {
  test("is newest first, by statuses, and requires authentication", async () => {
    const { id, ask, make, jobs } = await project();
    await make();
    expect((await jobs()).map(({ name }: Json) => name)).toEqual(["b", "a"]);
    expect((await ask("GET", "/jobs?scope=pending")).body).toHaveLength(1);
    expect((await ask("GET", "/jobs?scope[]=pending&scope[]=created")).body).toHaveLength(2);
    const odd = await ask("GET", "/jobs?scope[]=odd");
    expect([odd.status, odd.body.error]).toEqual([400, "scope does not have a valid value"]);
    expect((await world.call("GET", `/projects/${id}/jobs`)).status).toBe(401);
    expect((await ask("GET", "/jobs", guest.token)).status).toBe(200);
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { public_jobs: false } });
    expect((await ask("GET", "/jobs", guest.token)).status).toBe(403);
  });

  test("continues by keyset; jobs created meanwhile neither repeat nor hide any", async () => {
    const { ask, make } = await project();
    await make();
    await make();
    const first = await ask("GET", "/jobs?pagination=keyset&per_page=3");
    const link = first.headers.get("link") ?? "";
    expect(link).toMatch(/^<[^>]*cursor=[^>]*>; rel="next"$/);
    expect([first.headers.get("x-page"), first.headers.get("x-total"), first.headers.get("links")]).toEqual([
      null,
      null,
      null,
    ]);
    await make();
    const url = new URL(/<([^>]+)>/.exec(link)?.[1] ?? "");
    const second = await world.call("GET", `${url.pathname}${url.search}`, { token: dev.token });
    const ids = [...first.body, ...second.body].map((each: Json) => each.id);
    expect(ids).toEqual([ids[0], ids[0] - 1, ids[0] - 2, ids[0] - 3]);
    expect(second.headers.get("link")).toBeNull();
    const refused = await ask("GET", "/jobs?pagination=keyset&order_by=name");
    expect([refused.status, refused.body]).toEqual([
      405,
      { error: "Keyset pagination is not yet available for this type of request" },
    ]);
  });
});
