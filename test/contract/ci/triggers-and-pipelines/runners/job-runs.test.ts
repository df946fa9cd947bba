import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { readTrace } from "../../../../../src/modules/ci/job-logs/index.ts";
import { traceChunks, traces } from "../../../../../src/modules/ci/job-logs/records.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type CallOptions, type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();
const { group: makeGroup } = placesOf(world);

/** A running job of a project with this CI file, and the ways to look at it. */
async function running(ci = "job: {script: x}", attributes: Readonly<Record<string, unknown>> = {}) {
  const project = await makeProject(world, attributes);
  await putCiFile(world, project.id, ci);
  const pipeline = await makePipeline(world, project.id);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: project.id });
  const job = await takeJob(world, runner);
  const path = `/projects/${project.id}/jobs/${job.id}`;
  return {
    project,
    runner,
    job,
    path,
    shown: async () => (await world.get(path)).body,
    log: async () => (await world.get(`${path}/trace`)).text,
    pipelineNow: async () => (await world.get(`/projects/${project.id}/pipelines/${pipeline.id}`)).body,
  };
}

const patch = (job: Json, options: CallOptions) => world.call("PATCH", `/jobs/${job.id}/trace`, options);
const put = (job: Json, json: object, headers = {}) => world.call("PUT", `/jobs/${job.id}`, { json, headers });

describe("the log", () => {
  test("grows piece by piece, and reports its size", async () => {
    const { job, log, path } = await running();
    const first = await patch(job, {
      raw: "one\n",
      headers: { "JOB-TOKEN": job.token, "Content-Range": "0-4", "Content-Type": "text/plain" },
    });
    expect([first.status, first.body]).toEqual([202, { message: "202 Accepted" }]);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      range: "0-4",
      "job-status": "running",
      "x-gitlab-trace-update-interval": "60",
    });
    const second = await patch(job, {
      raw: new Uint8Array([0xff, 0, 10]),
      query: { token: job.token },
      headers: { "Content-Range": "4-6", "Content-Type": "application/octet-stream" },
    });
    expect([second.status, second.headers.get("range")]).toEqual([202, "0-7"]);
    const answer = await world.get(`${path}/trace`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain"]);
    const bytes = await fetch(`${world.origin}/api/v4${path}/trace`, { headers: { "PRIVATE-TOKEN": rootToken } });
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array([...Buffer.from("one\n"), 0xff, 0, 10]));
    expect(await log()).toContain("one\n");
  });

  test("of a job without output is empty", async () => {
    const { path } = await running();
    const { status, text } = await world.get(`${path}/trace`);
    expect([status, text]).toEqual([200, ""]);
  });

  test("refuses a piece that does not continue it, and reports its end", async () => {
    const { job, log } = await running();
    await appendLog(world, job, "12345", 0);
    for (const start of [0, 4, 6, 2 ** 40]) {
      const answer = await appendLog(world, job, "x", start);
      expect([answer.status, answer.headers.get("range")]).toEqual([416, "0-5"]);
      expect(await answer.json()).toEqual({ error: "416 Range Not Satisfiable" });
    }
    expect(await log()).toBe("12345");
  });

  test("takes one of two equal pieces at once", async () => {
    const { job, log } = await running();
    const answers = await Promise.all([appendLog(world, job, "once", 0), appendLog(world, job, "once", 0)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 416]);
    expect(await log()).toBe("once");
  });

  test("requires the position of a piece", async () => {
    const { job } = await running();
    const { status, body } = await patch(job, { raw: "x", headers: { "JOB-TOKEN": job.token } });
    expect([status, body]).toEqual([400, { error: "400 Missing header Content-Range" }]);
  });

  test("masks the token of its job", async () => {
    const { job, log } = await running();
    await appendLog(world, job, `git clone http://x:${job.token}@host\n${job.token}`, 0);
    const hidden = "x".repeat(job.token.length);
    expect(await log()).toBe(`git clone http://x:${hidden}@host\n${hidden}`);
  });

  test("masks it across pieces, and holds back bytes that may be part of it", async () => {
    const { job, log } = await running();
    const pieces = [`a ${job.token.slice(0, 9)}`, job.token.slice(9, 25), `${job.token.slice(25)} b glc`, "lue"];
    const seen: string[] = [];
    let at = 0;
    for (const piece of pieces) {
      const answer = await appendLog(world, job, piece, at);
      at += piece.length;
      expect([answer.status, answer.headers.get("range")]).toEqual([202, `0-${at}`]);
      seen.push(await log());
    }
    const whole = `a glcbt-${"x".repeat(20)} b glc`;
    expect(seen).toEqual(["a glcbt-", "a glcbt-", whole, `${whole}lue`]);
  });

  test("masks the bytes held back for good when the job ends", async () => {
    for (const before of ["", "first\n"]) {
      const { job, log } = await running();
      if (before !== "") await appendLog(world, job, before, 0);
      await appendLog(world, job, job.token.slice(0, 20), before.length);
      await finishJob(world, job, { state: "success" });
      await world.jobsDone();
      expect(await log()).toBe(`${before}glcbt-${"x".repeat(14)}`);
      expect(world.store.of(traces).get(job.id)).toEqual({
        id: job.id,
        project_id: expect.any(Number),
        size: before.length + 20,
        chunks: 1,
      });
    }
  });

  test("is sealed when the job has finished, and deleted when it is erased", async () => {
    const { job, log, path } = await running();
    for (const [at, piece] of ["a", "b", "c"].entries()) await appendLog(world, job, piece, at);
    const chunks = () => world.store.of(traceChunks).by.job_id.find(job.id).size;
    expect(chunks()).toBe(3);
    await finishJob(world, job, { state: "success" });
    await world.jobsDone();
    expect([chunks(), await log()]).toEqual([1, "abc"]);
    expect((await world.call("POST", `${path}/erase`, { token: rootToken })).status).toBe(201);
    expect([chunks(), await log(), world.store.of(traces).get(job.id)]).toEqual([0, "", undefined]);
  });

  test("is streamed to its end to a slow reader while it is sealed", async () => {
    const { job } = await running();
    for (const [at, piece] of ["a", "b", "c"].entries()) await appendLog(world, job, piece, at);
    const chunks = world.store.of(traceChunks);
    const files = [...chunks.by.job_id.find(job.id)].map((id) => world.store.blobs.pathOf(chunks.get(id)?.blob ?? ""));
    const reader = (readTrace(world.store, job.id) as ReadableStream<Uint8Array>).getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe("a");
    await finishJob(world, job, { state: "success" });
    await world.jobsDone();
    for (const file of files) rmSync(file);
    expect([await text(), await text()].join("")).toBe("bc");
    expect(await reader.read()).toEqual({ value: undefined, done: true });
  });

  test("in tiny pieces has few chunks at any time, and is the same text", async () => {
    const { job, log } = await running();
    const chunks = () => world.store.of(traceChunks).by.job_id.find(job.id).size;
    let text = "";
    for (let count = 1; count <= 400; count += 1) {
      const piece = `${count} `;
      expect((await appendLog(world, job, piece, text.length)).status).toBe(202);
      text += piece;
      expect(chunks()).toBeLessThanOrEqual(64);
      if (count % 50 === 0) expect(await log()).toBe(text);
    }
    expect(world.store.of(traces).get(job.id)).toMatchObject({ size: text.length, chunks: chunks() });
    await finishJob(world, job, { state: "success" });
    await world.jobsDone();
    expect([chunks(), await log()]).toEqual([1, text]);
  });

  test("has a chunk of each large piece, and the small ones between them are joined", async () => {
    const { job, log } = await running();
    const chunks = () => world.store.of(traceChunks).by.job_id.find(job.id).size;
    let text = "";
    const append = async (piece: string) => {
      expect((await appendLog(world, job, piece, text.length)).status).toBe(202);
      text += piece;
    };
    const [large, half] = ["L", "h"].map((letter) => letter.repeat(64 * 1024)) as [string, string];
    await append(large);
    for (let count = 0; count < 64; count += 1) await append(half.slice(count + 1));
    await append(large);
    expect([chunks(), await log()]).toEqual([3, text]);
    await append("end");
    expect([chunks(), await log()]).toEqual([4, text]);
  });

  test("is streamed to its end to a slow reader while its chunks are joined", async () => {
    const { job } = await running();
    let text = "";
    const append = async () => {
      const piece = `${text.length} `;
      await appendLog(world, job, piece, text.length);
      text += piece;
    };
    for (let count = 0; count < 64; count += 1) await append();
    const chunks = world.store.of(traceChunks);
    const files = [...chunks.by.job_id.find(job.id)].map((id) => world.store.blobs.pathOf(chunks.get(id)?.blob ?? ""));
    const reader = (readTrace(world.store, job.id) as ReadableStream<Uint8Array>).getReader();
    const read: Uint8Array[] = [(await reader.read()).value as Uint8Array];
    for (let count = 0; count < 10; count += 1) await append();
    for (const file of files) rmSync(file);
    for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value);
    expect(Buffer.concat(read).toString()).toBe(text);
  });

  test("is deleted with its pipeline and with its project", async () => {
    const one = await running();
    const other = await running();
    for (const { job } of [one, other]) await appendLog(world, job, "x", 0);
    const { id } = await one.pipelineNow();
    await world.call("DELETE", `/projects/${one.project.id}/pipelines/${id}`, { token: rootToken });
    await world.call("DELETE", `/projects/${other.project.id}`, { token: rootToken });
    await world.jobsDone();
    expect([one, other].map(({ job }) => world.store.of(traces).get(job.id))).toEqual([undefined, undefined]);
  });

  test("is readable for callers who may read the job", async () => {
    const { job, path } = await running("job: {script: x}", { visibility: "public", public_jobs: false });
    await appendLog(world, job, "secret", 0);
    const { token } = await world.user();
    expect((await world.call("GET", `${path}/trace`, { token })).status).toBe(403);
    const hidden = await running();
    expect((await world.call("GET", `${hidden.path}/trace`, { token })).body).toEqual({
      message: "404 Project Not Found",
    });
    const open = await running("job: {script: x}", { visibility: "public" });
    expect((await world.call("GET", `${open.path}/trace`, { token })).status).toBe(200);
    expect((await world.call("GET", `${open.path}/trace`)).status).toBe(401);
    expect((await world.get(`/projects/${open.project.id}/jobs/999999/trace`)).status).toBe(404);
  });
});

describe("the log of a debugged job", () => {
  const variable = (name: string, value: string) => `job: {script: x, variables: {${name}: "${value}"}}`;
  const statusesOf = async (ci: string, debug_trace?: boolean) => {
    const { project, job, path } = await running(ci, { visibility: "public" });
    await patch(job, {
      raw: "export SECRET=hunter2",
      query: debug_trace === undefined ? {} : { debug_trace },
      headers: { "JOB-TOKEN": job.token, "Content-Range": "0-20", "Content-Type": "text/plain" },
    });
    const readers = await Promise.all(
      [20, 30].map(async (access_level) => {
        const { id: user_id, token } = await world.user();
        const json = { user_id, access_level };
        await world.call("POST", `/projects/${project.id}/members`, { token: rootToken, json });
        return token;
      }),
    );
    readers.push((await world.user()).token);
    return Promise.all(readers.map(async (token) => (await world.call("GET", `${path}/trace`, { token })).status));
  };

  test.each([
    ["CI_DEBUG_TRACE", variable("CI_DEBUG_TRACE", "true")],
    ["CI_DEBUG_SERVICES", variable("CI_DEBUG_SERVICES", "TRUE")],
    ["a variable that names another", `variables: {FLAG: "true"}\n${variable("CI_DEBUG_TRACE", "$FLAG")}`],
  ])("by %s is for developers", async (_, ci) => {
    expect(await statusesOf(ci)).toEqual([403, 200, 403]);
  });

  test("by its runner is for developers", async () => {
    expect(await statusesOf("job: {script: x}", true)).toEqual([403, 200, 403]);
  });

  test("is for all when it says that there is nothing to hide", async () => {
    expect(await statusesOf(variable("CI_DEBUG_TRACE", "false"), false)).toEqual([200, 200, 200]);
  });
});

describe("the end of a job", () => {
  test.each([
    ["success", {}, "success", undefined],
    ["failed", {}, "failed", "unknown_failure"],
    ["failed", { failure_reason: "script_failure", exit_code: 7 }, "failed", "script_failure"],
    ["failed", { failure_reason: "no such" }, "failed", "unknown_failure"],
  ])("%s with %j ends it at once", async (state, more, status, reason) => {
    const { job, shown, pipelineNow } = await running();
    const answer = await put(job, { token: job.token, state, checksum: "crc32:00", ...more });
    expect([answer.status, answer.headers.get("job-status")]).toEqual([200, status]);
    expect(await shown()).toMatchObject({ status, finished_at: world.clock.time() });
    expect((await shown()).failure_reason).toBe(reason);
    expect(await pipelineNow()).toMatchObject({ status, finished_at: world.clock.time() });
  });

  test.each([
    [3, "success"],
    [4, "success"],
    [5, "failed"],
    [undefined, "failed"],
  ])("of a script that ends with %p where 3 and 4 are allowed leaves the pipeline %s", async (exit_code, status) => {
    const { job, shown, pipelineNow, path } = await running("job: {script: x, allow_failure: {exit_codes: [3, 4]}}");
    await finishJob(world, job, { state: "failed", exit_code });
    expect((await pipelineNow()).status).toBe(status);
    expect(await shown()).toMatchObject({ status: "failed", allow_failure: status === "success" });
    const { body } = await world.call("POST", `${path}/retry`, { token: rootToken });
    expect(body.allow_failure).toBe(false);
  });

  test("is not reached by an update that says that it still runs", async () => {
    const { job, shown } = await running();
    for (const [json, expected] of [
      [{ state: "running" }, [200, "running", "200"]],
      [{ state: "paused" }, [400, "running", "400"]],
      [{}, [400, "running", "400"]],
    ] as const) {
      const { status, headers, text } = await put(job, json, { "JOB-TOKEN": job.token });
      expect([status, headers.get("job-status"), text]).toEqual([...expected]);
    }
    expect((await shown()).status).toBe("running");
  });

  test("waits for the rest of a log that is shorter than the runner says, for five minutes", async () => {
    const { job, shown, log } = await running();
    await appendLog(world, job, "one ", 0);
    const ended = { token: job.token, state: "success", output: { checksum: "crc32:00", bytesize: 7 } };
    const early = await put(job, ended);
    expect([early.status, early.body]).toEqual([202, 202]);
    expect(Object.fromEntries(early.headers)).toMatchObject({
      "job-status": "running",
      "x-gitlab-trace-update-interval": "3",
    });
    expect((await shown()).status).toBe("running");
    await appendLog(world, job, "two", 4);
    expect([(await put(job, ended)).status, (await shown()).status, await log()]).toEqual([200, "success", "one two"]);

    const lost = await running();
    const failed = { ...ended, token: lost.job.token, state: "failed", failure_reason: "script_failure" };
    expect((await put(lost.job, failed)).status).toBe(202);
    world.clock.advance(5 * 60_000 - 1);
    expect((await put(lost.job, failed)).status).toBe(202);
    world.clock.advance(1);
    expect((await put(lost.job, failed)).status).toBe(200);
    expect(await lost.shown()).toMatchObject({ status: "failed", failure_reason: "script_failure" });
  });

  test.each([{ bytesize: "7" }, { bytesize: null }, {}, { bytesize: 4 }])("ignores %j", async (output) => {
    const { job } = await running();
    await appendLog(world, job, "four", 0);
    expect((await put(job, { token: job.token, state: "success", output })).status).toBe(200);
  });

  test("disables the token", async () => {
    const { job } = await running();
    const own = () => world.call("GET", "/job", { headers: { "JOB-TOKEN": job.token } });
    expect((await own()).body.id).toBe(job.id);
    await finishJob(world, job, { state: "success" });
    expect((await own()).status).toBe(401);
    const again = await put(job, { token: job.token, state: "failed" });
    expect([again.status, again.headers.get("job-status")]).toEqual([403, "success"]);
  });

  test("starts the next stage, or skips it", async () => {
    const ci = "one: {stage: build, script: x}\ntwo: {stage: test, script: x}\nthree: {stage: deploy, script: x}";
    const { job, runner, project, pipelineNow } = await running(ci);
    expect(await takeJob(world, runner)).toBeUndefined();
    await finishJob(world, job, { state: "success" });
    const next = await takeJob(world, runner);
    expect(next.job_info.name).toBe("two");
    await finishJob(world, next, { state: "failed", failure_reason: "script_failure" });
    expect(await takeJob(world, runner)).toBeUndefined();
    expect((await pipelineNow()).status).toBe("failed");
    const { body } = await world.get(`/projects/${project.id}/jobs`);
    expect(body.map((each: Json) => each.status)).toEqual(["skipped", "failed", "success"]);
  });
});

describe("a wrong token is 403", () => {
  test.each([
    ["none", () => ({})],
    ["one that nobody has", () => ({ token: "glcbt-unknown" })],
    ["the runner's", (_: Json, runner: string) => ({ token: runner })],
  ])("%s", async (_, credentials) => {
    const { job, runner } = await running();
    const given = credentials(job, runner);
    expect((await put(job, { ...given, state: "success" })).body).toEqual({ message: "403 Forbidden" });
    const answer = await patch(job, { raw: "x", query: given, headers: { "Content-Range": "0-1" } });
    expect([answer.status, answer.body]).toEqual([403, { message: "403 Forbidden" }]);
  });

  test("of another job", async () => {
    const [one, other] = [await running(), await running()];
    expect((await put(one.job, { token: other.job.token, state: "success" })).status).toBe(403);
    expect((await one.shown()).status).toBe("running");
  });
});

describe("the answer to a runner says", () => {
  const refused = { message: "403 Forbidden - Job is not processing on runner" };

  test("that its job was canceled", async () => {
    const { job, path } = await running();
    await world.call("POST", `${path}/cancel`, { token: rootToken });
    const log = await patch(job, { raw: "x", headers: { "JOB-TOKEN": job.token, "Content-Range": "0-1" } });
    expect([log.status, log.body, log.headers.get("job-status")]).toEqual([403, refused, "canceled"]);
    const end = await put(job, { token: job.token, state: "success" });
    expect([end.status, end.body, end.headers.get("job-status")]).toEqual([403, refused, "canceled"]);
  });

  test("that the project is deleted", async () => {
    const { job, project } = await running();
    await world.call("DELETE", `/projects/${project.id}`, { token: rootToken });
    expect((await put(job, { token: job.token, state: "success" })).status).toBe(403);
  });
});

test("a runner with only a long job counts as online", async () => {
  const { job, shown } = await running("job: {script: x}", { build_timeout: 36_000 });
  let at = 0;
  for (const say of [
    async () => appendLog(world, job, "x", at++),
    async () => put(job, { token: job.token, state: "running" }),
  ]) {
    world.clock.advance(3 * 60 * 60 * 1000);
    expect((await shown()).runner.status).toBe("offline");
    await say();
    const { runner, runner_manager } = await shown();
    expect([runner.status, runner_manager.status]).toEqual(["online", "online"]);
    expect(runner_manager.contacted_at).toBe(world.clock.time());
  }
});

describe("the timeout of a job", () => {
  test("ends it, a minute late", async () => {
    const { shown, pipelineNow, job } = await running("job: {script: x}", { build_timeout: 600 });
    world.clock.advance(600_000 + 59_999);
    await world.jobsDone();
    expect((await shown()).status).toBe("running");
    world.clock.advance(1);
    await world.jobsDone();
    expect(await shown()).toMatchObject({ status: "failed", failure_reason: "job_execution_timeout" });
    expect((await pipelineNow()).status).toBe("failed");
    expect((await put(job, { token: job.token, state: "success" })).headers.get("job-status")).toBe("failed");
  });

  test("is deleted when it ends", async () => {
    const { job, shown } = await running();
    const timeouts = async () =>
      (await world.get("/-/jobs")).body.filter(({ kind }: Json) => kind === "ci_job_timeout").length;
    const before = await timeouts();
    await finishJob(world, job, { state: "success" });
    expect(await timeouts()).toBe(before - 1);
    world.clock.advanceDays(1);
    await world.jobsDone();
    expect((await shown()).status).toBe("success");
  });
});

test("a retried job has neither the runner nor the log of the first", async () => {
  const { job, path } = await running();
  await appendLog(world, job, "x", 0);
  await finishJob(world, job, { state: "failed" });
  const { body } = await world.call("POST", `${path}/retry`, { token: rootToken });
  expect(body).toMatchObject({ status: "pending", runner: null, runner_manager: null, started_at: null });
  expect((await world.get(`${path.replace(/\d+$/, String(body.id))}/trace`)).text).toBe("");
});

test("a deleted group takes running jobs and their logs with it", async () => {
  const group = makeGroup();
  const { job } = await running("job: {script: x}", { namespace_id: group.id });
  await appendLog(world, job, "x", 0);
  await world.call("DELETE", `/groups/${group.id}`, { token: rootToken });
  await world.jobsDone();
  expect(world.store.of(traces).get(job.id)).toBeUndefined();
});
