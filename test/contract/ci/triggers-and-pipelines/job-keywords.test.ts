import { describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { finishJob, makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();

/** A project with this CI file, and a runner of its own. */
async function project(ci: string) {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const jobs = async (): Promise<Json[]> => (await world.get(`/projects/${id}/jobs?per_page=100`)).body;
  return {
    id: id as number,
    make: () => makePipeline(world, id),
    take: () => takeJob(world, runner),
    act: (job: Json, action: string) =>
      world.call("POST", `/projects/${id}/jobs/${job.id}/${action}`, { token: rootToken }),
    statuses: async () => (await jobs()).map(({ name, status }) => `${name} ${status}`).reverse(),
    jobs,
    pipelineNow: async (pipeline: Json) => (await world.get(`/projects/${id}/pipelines/${pipeline.id}`)).body.status,
  };
}

const variableOf = (job: Json, wanted: string) => job.variables.find(({ key }: Json) => key === wanted)?.value;

describe("timeout", () => {
  test("of a job takes precedence over the project's, and ends the job with its reason", async () => {
    const { make, take, jobs } = await project("a: {script: x, timeout: 2 hours}");
    await make();
    const job = await take();
    expect([job.runner_info.timeout, job.steps[0].timeout, variableOf(job, "CI_JOB_TIMEOUT")]).toEqual([
      7200,
      7200,
      "7200",
    ]);
    world.clock.advance(7200_000);
    await world.jobsDone();
    expect((await jobs())[0].status).toBe("running");
    world.clock.advance(60_000);
    await world.jobsDone();
    expect(await jobs()).toMatchObject([{ status: "failed", failure_reason: "job_execution_timeout" }]);
    expect((await finishJob(world, job, { state: "success" })).status).toBe(403);
  });
});

describe("retry", () => {
  test("runs a failed job again, up to its number of times", async () => {
    const { make, take, statuses, pipelineNow } = await project(
      "a: {script: x, retry: 2}\nb: {stage: deploy, script: x}",
    );
    const pipeline = await make();
    for (const left of [2, 1]) {
      await finishJob(world, await take(), { state: "failed", failure_reason: "script_failure" });
      expect([left, await pipelineNow(pipeline)]).toEqual([left, "pending"]);
    }
    await finishJob(world, await take(), { state: "failed", failure_reason: "script_failure" });
    expect([await take(), await pipelineNow(pipeline)]).toEqual([undefined, "failed"]);
    expect(await statuses()).toEqual(["a failed", "b skipped", "a failed", "a failed"]);
  });

  test("checks the reason or the exit code", async () => {
    const { make, take } = await project("a: {script: x, retry: {max: 2, when: runner_system_failure, exit_codes: 7}}");
    await make();
    const fail = async (json: object) => finishJob(world, await take(), { state: "failed", ...json });
    await fail({ failure_reason: "runner_system_failure" });
    await fail({ failure_reason: "script_failure", exit_code: 7 });
    const last = await take();
    expect(last).toBeDefined();
    await make();
    await finishJob(world, last, { state: "failed" });
    await fail({ failure_reason: "script_failure", exit_code: 1 });
    expect(await take()).toBeUndefined();
  });

  test("also runs a timed-out job again", async () => {
    const { make, take } = await project("a: {script: x, timeout: 1 minute, retry: 1}");
    await make();
    await take();
    world.clock.advance(120_000);
    await world.jobsDone();
    expect(await take()).toBeDefined();
  });
});

test("parallel jobs know their index, and pass on their artifacts", async () => {
  const { make, take } = await project(`
a: {stage: build, script: x, parallel: 2}
none: {script: x, dependencies: []}
one: {script: x, needs: [{job: a, artifacts: false}]}
all: {script: x, environment: {name: review/$CI_COMMIT_REF_NAME, url: "https://r"}}`);
  await make();
  for (const at of [1, 2]) {
    const job = await take();
    expect([
      variableOf(job, "CI_NODE_INDEX"),
      variableOf(job, "CI_NODE_TOTAL"),
      variableOf(job, "CI_JOB_NAME"),
    ]).toEqual([String(at), "2", `a ${at}/2`]);
    await finishJob(world, job, { state: "success" });
  }
  const [none, one, all] = [await take(), await take(), await take()];
  const namesOf = (job: Json) => job.dependencies.map(({ name }: Json) => name);
  expect([namesOf(none), namesOf(one), namesOf(all)]).toEqual([[], [], ["a 1/2", "a 2/2"]]);
  expect(variableOf(all, "CI_ENVIRONMENT_NAME")).toBe("review/main");
  expect([variableOf(all, "CI_ENVIRONMENT_URL"), variableOf(none, "CI_ENVIRONMENT_NAME")]).toEqual([
    "https://r",
    undefined,
  ]);
});

test("variables that a job does not inherit are not in its payload", async () => {
  const { make, take } = await project("variables: {A: 1, B: 2}\na: {script: x, inherit: {variables: [B]}}");
  await make();
  const job = await take();
  expect([variableOf(job, "A"), variableOf(job, "B")]).toEqual([undefined, "2"]);
});

describe("resource_group", () => {
  const ci = "a: {script: x, resource_group: prod}\nb: {script: x, resource_group: prod}\nc: {script: x}";

  test("lets one job at a time run, over all pipelines of the project", async () => {
    const { make, take, statuses, pipelineNow } = await project(ci);
    const [first, second] = [await make(), await make()];
    expect(await statuses()).toEqual([
      ...["a pending", "b waiting_for_resource", "c pending"],
      ...["a waiting_for_resource", "b waiting_for_resource", "c pending"],
    ]);
    const order: string[] = [];
    for (let job = await take(); job !== undefined; job = await take()) {
      order.push(`${variableOf(job, "CI_PIPELINE_ID")} ${job.job_info.name}`);
      const waiting = (await statuses()).filter((each) => /^[ab] (pending|running)$/.test(each));
      expect(waiting.length).toBeLessThanOrEqual(1);
      await finishJob(world, job, { state: order.length === 1 ? "failed" : "success" });
    }
    expect(order.filter((each) => !each.endsWith("c"))).toEqual([
      ...[`${first.id} a`, `${first.id} b`, `${second.id} a`, `${second.id} b`],
    ]);
    expect([await pipelineNow(first), await pipelineNow(second)]).toEqual(["failed", "success"]);
  });

  test("is free again when a job is canceled, or its pipeline deleted", async () => {
    const { id, make, act, jobs, statuses } = await project("a: {script: x, resource_group: prod}");
    const [first] = [await make(), await make(), await make()];
    expect(await statuses()).toEqual(["a pending", "a waiting_for_resource", "a waiting_for_resource"]);
    const [, second] = (await jobs()).reverse();
    await world.call("DELETE", `/projects/${id}/pipelines/${first.id}`, { token: rootToken });
    expect(await statuses()).toEqual(["a pending", "a waiting_for_resource"]);
    await act(second, "cancel");
    expect(await statuses()).toEqual(["a canceled", "a pending"]);
    await act(second, "retry");
    expect(await statuses()).toEqual(["a canceled", "a pending", "a waiting_for_resource"]);
  });

  test("does not block a canceled pipeline", async () => {
    const { id, make, statuses, pipelineNow } = await project(ci);
    const [first, second] = [await make(), await make()];
    await world.call("POST", `/projects/${id}/pipelines/${first.id}/cancel`, { token: rootToken });
    expect(await statuses()).toEqual([
      ...["a canceled", "b canceled", "c canceled"],
      ...["a pending", "b waiting_for_resource", "c pending"],
    ]);
    expect([await pipelineNow(first), await pipelineNow(second)]).toEqual(["canceled", "pending"]);
  });
});

describe("interruptible", () => {
  const ci = "a: {stage: build, script: x, interruptible: true}\nb: {script: x}";
  const push = (id: number, path: string) =>
    world.call("POST", `/projects/${id}/repository/files/${path}`, {
      token: rootToken,
      json: { branch: "main", content: path, commit_message: path },
    });

  test("lets a newer commit of the branch cancel the pipeline, until a job that is not interruptible runs", async () => {
    const { id, make, take, statuses } = await project(ci);
    await make();
    await take();
    await make();
    expect(await statuses()).toEqual(["a running", "b created", "a pending", "b created"]);
    await push(id, "one.txt");
    await world.jobsDone();
    expect(await statuses()).toEqual([
      ...["a canceled", "b canceled", "a canceled", "b canceled", "a pending", "b created"],
    ]);
    await finishJob(world, await take(), { state: "success" });
    await take();
    await push(id, "two.txt");
    await world.jobsDone();
    expect((await statuses()).slice(4)).toEqual(["a success", "b running", "a pending", "b created"]);
  });

  test("has no effect where the project turns it off", async () => {
    const { id, make, statuses } = await project(ci);
    await world.call("PUT", `/projects/${id}`, {
      token: rootToken,
      json: { auto_cancel_pending_pipelines: "disabled" },
    });
    await make();
    await push(id, "one.txt");
    await world.jobsDone();
    expect((await statuses()).filter((each) => each === "a pending")).toHaveLength(2);
  });

  test("is not needed while nothing of the pipeline has started", async () => {
    const { id, make, take, statuses } = await project("a: {script: x}");
    await make();
    await push(id, "one.txt");
    await world.jobsDone();
    expect(await statuses()).toEqual(["a canceled", "a pending"]);
    await take();
    await push(id, "two.txt");
    await world.jobsDone();
    expect((await statuses()).slice(1)).toEqual(["a running", "a pending"]);
  });

  const newCommit = (value: string) => `workflow: {auto_cancel: {on_new_commit: ${value}}}\n`;
  test.each([
    [newCommit("none"), ["a running", "b running", "c created"]],
    [newCommit("interruptible"), ["a canceled", "b running", "c created"]],
    [newCommit("conservative"), ["a running", "b running", "c created"]],
    [
      "workflow: {auto_cancel: {on_new_commit: none}, rules: [{when: always, auto_cancel: {on_new_commit: interruptible}}]}\n",
      ["a canceled", "b running", "c created"],
    ],
  ])("follows %j", async (workflow, expected) => {
    const jobs = "a: {script: x, interruptible: true}\nb: {script: x}\nc: {stage: deploy, script: x}";
    const { id, make, take, statuses } = await project(workflow + jobs);
    await make();
    await take();
    await take();
    await push(id, "one.txt");
    await world.jobsDone();
    expect((await statuses()).slice(0, 3)).toEqual(expected);
  });
});

describe("workflow: auto_cancel: on_job_failure", () => {
  const jobs = "a: {script: x}\nb: {script: x}\nc: {stage: deploy, script: x, when: always}\n";
  const all = "workflow: {auto_cancel: {on_job_failure: all}}\n";
  test.each([
    ["all ends the pipeline", all + jobs, ["a failed", "b canceled", "c canceled"]],
    [
      "none does not",
      `workflow: {auto_cancel: {on_job_failure: none}}\n${jobs}`,
      ["a failed", "b pending", "c created"],
    ],
    [
      "all goes on when the job may fail",
      all + jobs.replace("a: {", "a: {allow_failure: true, "),
      [...["a failed", "b pending", "c created"]],
    ],
  ])("%s", async (_, ci, expected) => {
    const { make, take, statuses } = await project(ci);
    await make();
    await finishJob(world, await take(), { state: "failed" });
    await world.jobsDone();
    expect(await statuses()).toEqual(expected);
  });

  test("waits until the job is not run again", async () => {
    const { make, take, statuses } = await project(`${all}a: {script: x, retry: 1}\nb: {script: x}`);
    await make();
    const job = await take();
    expect(job.job_info.name).toBe("a");
    await finishJob(world, job, { state: "failed" });
    await world.jobsDone();
    expect(await statuses()).not.toContain("b canceled");
    for (let next = await take(); next !== undefined; next = await take()) {
      await finishJob(world, next, { state: next.job_info.name === "a" ? "failed" : "running" });
      await world.jobsDone();
    }
    expect(await statuses()).toContain("b canceled");
  });
});

test("a job that no runner takes for a day fails, with its pipeline", async () => {
  const { make, jobs, pipelineNow, statuses } = await project("a: {script: x}\nb: {script: x, when: manual}");
  const pipeline = await make();
  world.clock.advance(23 * 60 * 60 * 1000);
  await world.jobsDone();
  expect(await statuses()).toEqual(["a pending", "b manual"]);
  world.clock.advance(2 * 60 * 60 * 1000);
  await world.jobsDone();
  expect((await jobs()).at(-1)).toMatchObject({ status: "failed", failure_reason: "stuck_or_timeout_failure" });
  expect([await pipelineNow(pipeline), await statuses()]).toEqual(["failed", ["a failed", "b manual"]]);
});
