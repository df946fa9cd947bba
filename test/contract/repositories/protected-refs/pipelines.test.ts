import { describe, expect, test } from "bun:test";
import { traces } from "../../../../src/modules/ci/job-logs/records.ts";
import { makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const [dev, maintainer] = [await world.user(), await world.user()];
const post = (path: string, json: object, token = rootToken) => world.call("POST", path, { token, json });

const { body: project } = await post("/projects", { path: "guarded", initialize_with_readme: true });
addMember(world, project, dev, "developer", "project");
addMember(world, project, maintainer, "maintainer", "project");
const at = `/projects/${project.id}`;
const content = `here: { script: x, rules: [{ if: '$CI_COMMIT_REF_PROTECTED == "true"' }] }\nelse: { script: x, rules: [{ if: '$CI_COMMIT_REF_PROTECTED == "false"' }] }\n`;
const file = { branch: "main", content, commit_message: "Add CI" };
await post(`${at}/repository/files/.gitlab-ci.yml`, file);
await post(`${at}/repository/branches`, { branch: "dev", ref: "main" });

const run = (ref: string, token: string) => post(`${at}/pipeline`, { ref }, token);
const jobsOf = async ({ id }: Json) =>
  (await world.call("GET", `${at}/pipelines/${id}/jobs`, { token: rootToken })).body.map((job: Json) => job.name);

test("a pipeline on a protected branch takes the right to push or to merge", async () => {
  const refused = await run("main", dev.token);
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      message: {
        base: [
          "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
        ],
      },
    },
  ]);
  expect((await run("dev", dev.token)).status).toBe(201);
  expect((await run("main", maintainer.token)).status).toBe(201);
  await world.call("PUT", `${at}/repository/branches/main/protect`, {
    token: rootToken,
    json: { developers_can_merge: true },
  });
  expect((await run("main", dev.token)).status).toBe(201);
});

test("CI_COMMIT_REF_PROTECTED says whether a rule matched when the pipeline was made", async () => {
  expect(await jobsOf((await run("main", rootToken)).body)).toEqual(["here"]);
  expect(await jobsOf((await run("dev", rootToken)).body)).toEqual(["else"]);
  await post(`${at}/protected_branches`, { name: "d*" });
  expect(await jobsOf((await run("dev", rootToken)).body)).toEqual(["here"]);
});

test("the pipeline of the first push sees its branch protected", async () => {
  const { body: empty } = await post("/projects", { path: "first-push" });
  await post(`/projects/${empty.id}/repository/files/.gitlab-ci.yml`, file);
  const { body: pipelines } = await world.call("GET", `/projects/${empty.id}/pipelines`, { token: rootToken });
  const { body: jobs } = await world.call("GET", `/projects/${empty.id}/pipelines/${pipelines[0].id}/jobs`, {
    token: rootToken,
  });
  expect(jobs.map(({ name }: Json) => name)).toEqual(["here"]);
});

describe("a pipeline of a protected ref", async () => {
  const { body: guarded } = await post("/projects", { path: "changes", initialize_with_readme: true });
  addMember(world, guarded, dev, "developer", "project");
  addMember(world, guarded, maintainer, "maintainer", "project");
  const inProject = `/projects/${guarded.id}`;
  const jobs = "run: { script: x, artifacts: { paths: [out] } }\nwait: { script: x, when: manual }\n";
  await post(`${inProject}/repository/files/.gitlab-ci.yml`, { ...file, content: jobs, commit_message: "[skip ci]" });
  await post(`${inProject}/repository/branches`, { branch: "free", ref: "main" });
  await post(`${inProject}/protected_tags`, { name: "v*" });
  await post(`${inProject}/repository/tags`, { tag_name: "v1", ref: "main" });
  await post(`${inProject}/repository/tags`, { tag_name: "free-1", ref: "main" });

  /** Makes a pipeline with one failed job and one to play; then each change of it, and of its jobs, as a caller. */
  async function changesOf(ref: string, token: string) {
    const { body: pipeline } = await post(`${inProject}/pipeline`, { ref });
    await world.jobsDone();
    const { body } = await world.call("GET", `${inProject}/pipelines/${pipeline.id}/jobs`, { token: rootToken });
    const [ran, waits] = ["run", "wait"].map((name) => body.find((job: Json) => job.name === name).id);
    const canceled = await post(`${inProject}/jobs/${ran}/cancel`, {}, token);
    await post(`${inProject}/jobs/${ran}/cancel`, {});
    // A job without a log and without artifacts has nothing to erase.
    world.store.transact((tx) => tx.insert(traces, { id: ran, project_id: guarded.id, size: 1, chunks: 1 }));
    const all = {
      "cancel a job": canceled,
      keep: await post(`${inProject}/jobs/${ran}/artifacts/keep`, {}, token),
      erase: await post(`${inProject}/jobs/${ran}/erase`, {}, token),
      "retry a job": await post(`${inProject}/jobs/${ran}/retry`, {}, token),
      play: await post(`${inProject}/jobs/${waits}/play`, {}, token),
      rename: await world.call("PUT", `${inProject}/pipelines/${pipeline.id}/metadata`, { token, json: { name: "n" } }),
      cancel: await post(`${inProject}/pipelines/${pipeline.id}/cancel`, {}, token),
      retry: await post(`${inProject}/pipelines/${pipeline.id}/retry`, {}, token),
    };
    return Object.fromEntries(Object.entries(all).map(([name, answer]) => [name, answer.status]));
  }

  const done = {
    ...{
      "cancel a job": 201,
      keep: 404,
      erase: 201,
      "retry a job": 201,
      play: 200,
      rename: 200,
      cancel: 200,
      retry: 201,
    },
  };
  const refused = Object.fromEntries(Object.keys(done).map((name) => [name, 403]));
  const cases = [
    ["main", "a developer", dev, refused],
    ["main", "a maintainer", maintainer, done],
    ["v1", "a developer", dev, refused],
    ["v1", "a maintainer", maintainer, done],
    // Another user's job: a developer does not erase it.
    ["free", "a developer", dev, { ...done, erase: 403 }],
    ["free-1", "a developer", dev, { ...done, erase: 403 }],
  ] as const;
  test.each(cases)("on %s is changed by %s as the rules say", async (ref, _who, { token }, expected) => {
    expect(await changesOf(ref, token)).toEqual(expected);
  });

  test("is changed by developers as soon as a rule lets them merge, but for the logs", async () => {
    await world.call("PUT", `${inProject}/repository/branches/main/protect`, {
      token: rootToken,
      json: { developers_can_merge: true },
    });
    expect(await changesOf("main", dev.token)).toEqual({ ...done, erase: 403 });
    const { body: own } = await post(`${inProject}/pipeline`, { ref: "main" }, dev.token);
    await world.jobsDone();
    const { body } = await world.call("GET", `${inProject}/pipelines/${own.id}/jobs`, { token: rootToken });
    const { id } = body.find(({ name }: Json) => name === "run");
    await post(`${inProject}/jobs/${id}/cancel`, {}, dev.token);
    expect((await post(`${inProject}/jobs/${id}/erase`, {}, dev.token)).status).toBe(403);
  });
});

describe("a job of a protected ref", async () => {
  const { body: guarded } = await post("/projects", { path: "runners", initialize_with_readme: true });
  addMember(world, guarded, dev, "developer", "project");
  const inProject = `/projects/${guarded.id}`;
  const jobs = "run: { script: x, cache: { key: c, paths: [x], fallback_keys: [d] } }\n";
  await post(`${inProject}/repository/files/.gitlab-ci.yml`, { ...file, content: jobs, commit_message: "[skip ci]" });
  await post(`${inProject}/repository/branches`, { branch: "free", ref: "main" });
  await world.call("PUT", `${inProject}/repository/branches/main/protect`, {
    token: rootToken,
    json: { developers_can_merge: true },
  });
  const forProject = { runner_type: "project_type", project_id: guarded.id };
  const careful = await makeRunner(world, { ...forProject, access_level: "ref_protected" });
  const open = await makeRunner(world, forProject);
  const make = async (ref: string) => {
    const { body: pipeline } = await post(`${inProject}/pipeline`, { ref }, dev.token);
    await world.jobsDone();
    return pipeline.id;
  };
  const pipelineOf = (job: Json | undefined) => job?.job_info.pipeline_id;
  const keysOf = (job: Json | undefined) => [job?.cache[0].key, ...(job?.cache[0].fallback_keys ?? [])];

  test("alone goes to a runner that takes only those", async () => {
    const free = await make("free");
    expect(await takeJob(world, careful)).toBeUndefined();
    const main = await make("main");
    const taken = await takeJob(world, careful);
    expect([pipelineOf(taken), taken?.git_info.protected, ...keysOf(taken)]).toEqual([
      ...[main, true, "c-protected", "d-protected"],
    ]);
    expect(await takeJob(world, careful)).toBeUndefined();
    const other = await takeJob(world, open);
    expect([pipelineOf(other), other?.git_info.protected, ...keysOf(other)]).toEqual([
      ...[free, false, "c-non_protected", "d-non_protected"],
    ]);
  });

  test("stays one while rules change, and when it is tried again", async () => {
    const before = await make("free");
    await post(`${inProject}/protected_branches`, { name: "free", push_access_level: 30 });
    expect(await takeJob(world, careful)).toBeUndefined();
    const job = await takeJob(world, open);
    expect(pipelineOf(job)).toBe(before);
    const after = await make("free");
    await world.call("DELETE", `${inProject}/protected_branches/free`, { token: rootToken });
    const { body } = await world.call("GET", `${inProject}/pipelines/${after}/jobs`, { token: rootToken });
    await post(`${inProject}/jobs/${body[0].id}/cancel`, {}, dev.token);
    await post(`${inProject}/jobs/${body[0].id}/retry`, {}, dev.token);
    expect(pipelineOf(await takeJob(world, careful))).toBe(after);
  });

  test("has no suffix at its caches where the project does not separate them", async () => {
    await world.call("PUT", inProject, { token: rootToken, json: { ci_separated_caches: false } });
    await make("main");
    expect(keysOf(await takeJob(world, open))).toEqual(["c", "d"]);
  });
});
