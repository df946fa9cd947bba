import { expect, test } from "bun:test";
import { silentLog } from "../../../../../src/lib/log.ts";
import { startApp } from "../../../../../src/server/app.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { configFor } from "../../../../support/fixtures/config.ts";
import { FakeClock } from "../../../../support/fixtures/fake-clock.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { createTempFolder } from "../../../../support/process/temp-folder.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld({ demoRunner: true });

const ci = `
compile: {stage: build, before_script: setup, script: [make, make install], tags: [big]}
check: {script: make test}
look: {when: manual, script: x}
mend: {when: on_failure, script: x}
other: {trigger: other/project, allow_failure: true}
late: {when: delayed, start_in: 10 seconds, script: x}
ship: {stage: deploy, script: x}
`;

async function seconds(count: number) {
  for (let second = 0; second < count; second += 1) {
    world.clock.advance(1_000);
    await world.jobsDone();
  }
}

test("jobs run one stage after the other, as `when` and `allow_failure` say", async () => {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const pipeline = await makePipeline(world, id);
  const path = `/projects/${id}/pipelines/${pipeline.id}`;
  const statuses = async () => {
    const { body } = await world.get(`${path}/jobs`);
    return Object.fromEntries(body.map((job: Json) => [job.name, job.status]));
  };
  expect(await statuses()).toMatchObject({ compile: "pending", check: "created" });
  await seconds(1);
  expect(await statuses()).toMatchObject({ compile: "running", check: "created" });
  expect((await world.get(path)).body.status).toBe("running");
  await seconds(3);
  expect(await statuses()).toMatchObject({
    ...{ compile: "success", check: "running", look: "manual", mend: "skipped", late: "scheduled", ship: "created" },
  });
  await seconds(11);
  expect(await statuses()).toMatchObject({ check: "success", late: "running", ship: "created" });
  await seconds(9);
  expect(await statuses()).toMatchObject({ look: "manual", late: "success", ship: "success" });
  expect((await world.get(path)).body).toMatchObject({ status: "success", finished_at: expect.any(String) });
  const jobs = (await world.get(`${path}/jobs`)).body;
  const compile = jobs.find(({ name }: Json) => name === "compile");
  expect(compile).toMatchObject({ runner: null, duration: 3 });
  const { text } = await world.get(`/projects/${id}/jobs/${compile.id}/trace`);
  expect(text).toContain("OUTPOST_DEMO_RUNNER set, and nothing was run");
  expect(text).toContain("$ setup\n$ make\n$ make install\n");
});

test("a job that is canceled meanwhile stays canceled", async () => {
  const { id } = await makeProject(world);
  await putCiFile(world, id, "job: {script: x}");
  await makePipeline(world, id);
  await seconds(1);
  const [job] = (await world.get(`/projects/${id}/jobs`)).body;
  expect(job.status).toBe("running");
  await world.call("POST", `/projects/${id}/jobs/${job.id}/cancel`, { token: rootToken });
  await seconds(5);
  expect((await world.get(`/projects/${id}/jobs/${job.id}`)).body.status).toBe("canceled");
  expect((await world.get(`/projects/${id}/jobs/${job.id}/trace`)).text).toBe("");
  const { body } = await world.call("POST", `/projects/${id}/jobs/${job.id}/retry`, { token: rootToken });
  await seconds(5);
  expect((await world.get(`/projects/${id}/jobs/${body.id}`)).body.status).toBe("success");
});

test("the log of a job grows until its end, and is the same text at last", async () => {
  const { id } = await makeProject(world);
  await putCiFile(world, id, "job: {script: [make, make test, make é, make install]}");
  await makePipeline(world, id);
  await seconds(1);
  const [job] = (await world.get(`/projects/${id}/jobs`)).body;
  const log = async () => (await world.get(`/projects/${id}/jobs/${job.id}/trace`)).text;
  const logs: string[] = [];
  for (let second = 0; second < 4; second += 1) {
    logs.push(await log());
    await seconds(1);
  }
  expect(logs.map((text) => text.split("\n").length - 1)).toEqual([0, 2, 4, 7]);
  expect(logs[3]).toEndWith("$ make\n$ make test\n$ make é\n$ make install\nJob succeeded, as every job does here.\n");
  for (const text of logs) expect(logs[3]?.startsWith(text)).toBe(true);
  expect(await log()).toBe(logs[3] as string);
});

test("its jobs continue after a restart, and it is off by default", async () => {
  await using folder = await createTempFolder();
  const clock = new FakeClock();
  const start = async (demoRunner: boolean) => {
    const app = await startApp(configFor(folder.path, { demoRunner }), silentLog, { clock });
    const call = async (method: string, path: string, json?: object): Promise<Json> => {
      const answer = await fetch(`${app.origin}/api/v4${path}`, {
        method,
        headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      return answer.json();
    };
    const second = async () => {
      clock.advance(1_000);
      await app.scheduler.idle();
    };
    return { app, call, second };
  };
  const first = await start(true);
  const { id } = await first.call("POST", "/projects", { path: "ledger", initialize_with_readme: true });
  const commit = { branch: "main", commit_message: "CI", content: "one: {script: x}\ntwo: {stage: deploy, script: x}" };
  await first.call("POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, commit);
  await first.app.scheduler.idle();
  await first.second();
  const statuses = async ({ call }: typeof first) =>
    (await call("GET", `/projects/${id}/jobs`)).map(({ status }: Json) => status);
  expect(await statuses(first)).toEqual(["created", "running"]);
  await first.app.stop();

  const again = await start(true);
  for (let count = 0; count < 4; count += 1) await again.second();
  expect(await statuses(again)).toEqual(["running", "success"]);
  await again.app.stop();

  const without = await start(false);
  await without.call("POST", `/projects/${id}/pipeline`, { ref: "main" });
  for (let count = 0; count < 5; count += 1) await without.second();
  expect(await statuses(without)).toEqual(["created", "pending", "running", "success"]);
  expect((await takeJob(without.app, await makeRunner(without.app))).job_info.name).toBe("one");
  await without.app.stop();
});
