import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { JobNotifier, RunnerQueue } from "../../../../../src/modules/ci/runner-api/index.ts";
import { startApp } from "../../../../../src/server/app.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { configFor } from "../../../../support/fixtures/config.ts";
import { placesOf, projectRef, putMember } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { createTempFolder } from "../../../../support/process/temp-folder.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();
const { group: makeGroup } = placesOf(world);
/** Takes what is left over from the test before. */
const everyone = await makeRunner(world, { tag_list: ["a", "b", "c"] });

async function emptyQueue() {
  while ((await takeJob(world, everyone)) !== undefined);
}

/** A project with a pipeline of this file, whose first jobs are pending. */
async function pending(
  ci: string,
  attributes: Readonly<Record<string, unknown>> = {},
  pipeline: object = {},
): Promise<Json> {
  const project = await makeProject(world, attributes);
  await putCiFile(world, project.id, ci);
  const made = await makePipeline(world, project.id, pipeline);
  return { ...project, pipeline: made };
}

const request = (token: string, json: object = {}) =>
  world.call("POST", "/jobs/request", { json: { token, info: {}, ...json } });

const simple = "job: {script: [make]}";

describe("the payload", () => {
  const file = `
image: {name: "debian:13", entrypoint: ["/bin/sh"], docker: {platform: linux/arm64, user: dave}}
variables: {SHARED: file, WHERE: file}
default: {services: ["postgres:17", {name: "redis:8", alias: cache}], before_script: [setup]}
first: {stage: build, script: [one]}
job:
  script: [make, make test]
  after_script: tidy
  tags: [a]
  cache: {key: deps, paths: [node_modules], policy: pull}
  variables: {WHERE: job}
`;

  test("has the fields that a runner reads", async () => {
    await emptyQueue();
    const {
      id,
      path_with_namespace: path,
      pipeline,
    } = await pending(
      file,
      { path: "ledger" },
      {
        variables: [
          { key: "GIVEN", value: "by hand" },
          { key: "CONFIG", value: "x=1", variable_type: "file" },
        ],
      },
    );
    const first = await takeJob(world, everyone);
    await finishJob(world, first, { state: "success" });
    const job = await takeJob(world, everyone, { system_id: "s_1", info: { version: "18.0", platform: "linux" } });
    const host = new URL(world.origin).host;
    expect(job).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/^glcbt-\w{20}$/),
      allow_git_fetch: true,
      job_info: {
        id: job.id,
        name: "job",
        stage: "test",
        project_id: id,
        project_name: "ledger",
        project_full_path: path,
        pipeline_id: pipeline.id,
        namespace_id: expect.any(Number),
        root_namespace_id: expect.any(Number),
        user_id: 1,
        project_jobs_running_on_instance_runners_count: "0",
        time_in_queue_seconds: 0,
        timestamps: { created_at: world.clock.time(), queued_at: world.clock.time(), started_at: world.clock.time() },
      },
      git_info: {
        repo_url: `http://gitlab-ci-token:${job.token}@${host}/${path}.git`,
        ref: "main",
        sha: pipeline.sha,
        before_sha: "0".repeat(40),
        ref_type: "branch",
        refspecs: [`+${pipeline.sha}:refs/pipelines/${pipeline.id}`, "+refs/heads/main:refs/remotes/origin/main"],
        depth: 20,
        repo_object_format: "sha1",
        protected: false,
      },
      runner_info: { timeout: 3600, runner_session_url: null },
      variables: expect.any(Array),
      steps: [
        {
          name: "script",
          script: ["setup", "make", "make test"],
          timeout: 3600,
          when: "on_success",
          allow_failure: false,
        },
        { name: "after_script", script: ["tidy"], timeout: 3600, when: "always", allow_failure: true },
      ],
      hooks: [],
      image: {
        name: "debian:13",
        entrypoint: ["/bin/sh"],
        ports: [],
        pull_policy: null,
        executor_opts: { docker: { platform: "linux/arm64", user: "dave" } },
      },
      services: [
        {
          name: "postgres:17",
          entrypoint: null,
          ports: [],
          pull_policy: null,
          executor_opts: {},
          alias: null,
          command: null,
          variables: [],
        },
        {
          name: "redis:8",
          entrypoint: null,
          ports: [],
          pull_policy: null,
          executor_opts: {},
          alias: "cache",
          command: null,
          variables: [],
        },
      ],
      artifacts: [],
      cache: [
        {
          key: "deps-protected",
          untracked: false,
          paths: ["node_modules"],
          policy: "pull",
          when: "on_success",
          fallback_keys: [],
        },
      ],
      credentials: [{ type: "registry", url: host, username: "gitlab-ci-token", password: job.token }],
      dependencies: [{ id: first.id, name: "first", token: job.token }],
      features: {
        trace_sections: true,
        token_mask_prefixes: expect.arrayContaining(["glcbt-"]),
        failure_reasons: expect.arrayContaining(["script_failure"]),
      },
    });
    const variables = new Map(job.variables.map((variable: Json) => [variable.key, variable]));
    expect(variables.size).toBe(job.variables.length);
    const plain = { public: true, masked: false };
    expect(variables.get("CI_JOB_TOKEN")).toEqual({
      ...plain,
      key: "CI_JOB_TOKEN",
      value: job.token,
      public: false,
      masked: true,
    });
    expect(variables.get("CONFIG")).toEqual({ ...plain, key: "CONFIG", value: "x=1", public: false, file: true });
    const values = Object.fromEntries(job.variables.map(({ key, value }: Json) => [key, value]));
    expect(values).toMatchObject({
      CI: "true",
      CI_JOB_ID: String(job.id),
      CI_JOB_NAME: "job",
      CI_JOB_STAGE: "test",
      CI_PIPELINE_ID: String(pipeline.id),
      CI_PIPELINE_SOURCE: "api",
      CI_COMMIT_SHA: pipeline.sha,
      CI_COMMIT_BRANCH: "main",
      CI_PROJECT_PATH: path,
      CI_API_V4_URL: `${world.origin}/api/v4`,
      CI_REPOSITORY_URL: job.git_info.repo_url,
      SHARED: "file",
      WHERE: "job",
      GIVEN: "by hand",
    });
    const shown = (await world.get(`/projects/${id}/jobs/${job.id}`)).body;
    expect(shown).toMatchObject({ status: "running", started_at: world.clock.time() });
    expect(shown.runner).toMatchObject({ runner_type: "instance_type", status: "online", is_shared: true });
    expect(shown.runner_manager).toMatchObject({ system_id: "s_1", version: "18.0", platform: "linux" });
    expect((await world.get(`/projects/${id}/pipelines/${pipeline.id}`)).body.status).toBe("running");
  });

  test("has the shorter of two timeouts", async () => {
    await emptyQueue();
    const { id } = await pending(simple, { build_timeout: 1200 });
    const runner = await makeRunner(world, { runner_type: "project_type", project_id: id, maximum_timeout: 700 });
    expect((await takeJob(world, runner)).runner_info.timeout).toBe(700);
  });

  test("has a token that gives access to the repository by git over HTTP", async () => {
    await emptyQueue();
    await pending(simple);
    const { git_info } = await takeJob(world, everyone);
    const { username, password, origin, pathname } = new URL(git_info.repo_url);
    const answer = await fetch(`${origin}${pathname}/info/refs`, {
      headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(git_info.sha)]);
  });
});

describe("the choice of a job", () => {
  test("takes the oldest first, each for one request only", async () => {
    await emptyQueue();
    const { pipeline, id } = await pending("one: {script: x}\ntwo: {script: x}\nthree: {script: x}");
    const answers = await Promise.all(Array.from({ length: 8 }, () => takeJob(world, everyone)));
    const ids = answers.filter((job) => job !== undefined).map((job) => job.id);
    const { body } = await world.get(`/projects/${id}/pipelines/${pipeline.id}/jobs`);
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      body.map((job: Json) => job.id).toSorted((a: number, b: number) => a - b),
    );
    expect(ids[0]).toBe(Math.min(...ids));
  });

  test("a token of no runner is 403, a missing one 400", async () => {
    const bad = await request("glrt-unknown");
    expect([bad.status, bad.body]).toEqual([403, { message: "403 Forbidden" }]);
    const { status, body } = await world.call("POST", "/jobs/request", { json: {} });
    expect([status, body.error]).toEqual([400, "token is missing"]);
  });

  test("gives runners of a project and of a group their own jobs", async () => {
    await emptyQueue();
    const group = makeGroup();
    const inner = makeGroup({ parent_id: group.id });
    const other = await pending(simple);
    const ofProject = await makeRunner(world, { runner_type: "project_type", project_id: other.id });
    const ofGroup = await makeRunner(world, { runner_type: "group_type", group_id: group.id });
    expect((await request(ofGroup)).status).toBe(204);
    const own = await pending(simple, { namespace_id: inner.id });
    expect((await takeJob(world, ofGroup)).job_info.project_id).toBe(own.id);
    expect((await takeJob(world, ofProject)).job_info.project_id).toBe(other.id);
    expect((await request(ofProject)).status).toBe(204);
  });

  test("follows a project's switch for runners of the instance and of its group", async () => {
    await emptyQueue();
    const group = makeGroup();
    const ofGroup = await makeRunner(world, { runner_type: "group_type", group_id: group.id });
    await pending(simple, { namespace_id: group.id, shared_runners_enabled: false, group_runners_enabled: false });
    expect([(await request(everyone)).status, (await request(ofGroup)).status]).toEqual([204, 204]);
  });

  test("requires all tags, and gives untagged jobs to runners that take them", async () => {
    await emptyQueue();
    const { id } = await pending("plain: {script: x}\ntagged: {script: x, tags: [a, b]}");
    const runner = (json: object) => makeRunner(world, { runner_type: "project_type", project_id: id, ...json });
    const picky = await runner({ run_untagged: false, tag_list: ["a"] });
    expect((await request(picky)).status).toBe(204);
    const both = await runner({ run_untagged: false, tag_list: ["b", "a", "z"] });
    expect((await takeJob(world, both)).job_info.name).toBe("tagged");
    expect((await request(both)).status).toBe(204);
    expect((await takeJob(world, await runner({}))).job_info.name).toBe("plain");
  });

  test("gives a paused runner none, and none of a project that is being deleted", async () => {
    await emptyQueue();
    const { id } = await pending(simple);
    expect((await request(await makeRunner(world, { paused: true }))).status).toBe(204);
    await world.call("DELETE", `/projects/${id}`, { token: rootToken });
    expect((await request(everyone)).status).toBe(204);
  });

  test("fails the job of a blocked user, and takes the next one", async () => {
    await emptyQueue();
    const ann = await world.user();
    const { id } = await pending(simple);
    putMember(world, projectRef({ id }), ann.id, accessLevels.developer);
    await takeJob(world, everyone);
    await makePipeline(world, id, {}, ann.token);
    await makePipeline(world, id);
    world.alter(ann.id, { state: "blocked" });
    const job = await takeJob(world, everyone);
    const { body } = await world.get(`/projects/${id}/jobs`);
    expect(body.map(({ status, failure_reason }: Json) => [status, failure_reason])).toEqual([
      ["running", undefined],
      ["failed", "user_blocked"],
      ["running", undefined],
    ]);
    expect(body[0].id).toBe(job.id);
  });
});

describe("without a job, a request", () => {
  const lastUpdateOf = ({ headers }: { headers: Headers }) => headers.get("x-gitlab-last-update") ?? "";
  test("is answered 204 at once, with the queue's version", async () => {
    await emptyQueue();
    const first = await request(everyone);
    expect([first.status, lastUpdateOf(first)]).toEqual([204, expect.stringMatching(/./)]);
    const other = await request(everyone, { last_update: "something else" });
    expect([other.status, lastUpdateOf(other)]).toEqual([204, lastUpdateOf(first)]);
  });

  test("with the current version waits until there is a job", async () => {
    await emptyQueue();
    const last_update = lastUpdateOf(await request(everyone));
    const held = takeJob(world, everyone, { last_update });
    await until(() => world.context.get(RunnerQueue).waiting === 1);
    const { id } = await pending(simple);
    expect((await held).job_info.project_id).toBe(id);
  });

  test("that waits beside another one gets the job, or waits on", async () => {
    await emptyQueue();
    const last_update = lastUpdateOf(await request(everyone));
    const held = [1, 2].map(() => takeJob(world, everyone, { last_update }));
    await until(() => world.context.get(RunnerQueue).waiting === 2);
    await pending(simple);
    expect(await Promise.race(held)).toBeDefined();
    await until(() => world.context.get(RunnerQueue).waiting === 1);
    world.clock.advance(50_000);
    expect((await Promise.all(held)).filter((job) => job !== undefined)).toHaveLength(1);
  });

  test("waits while as many places are free as its owner has taken", async () => {
    const queue = new JobNotifier(world.context);
    const leaving = new AbortController();
    const held: Promise<void>[] = [];
    const fill = (owner: number) => {
      const before = queue.waiting;
      while (queue.isOpenTo(owner)) held.push(queue.next(owner, 50_000, leaving.signal));
      return queue.waiting - before;
    };
    expect([1, 2, 3].map(fill)).toEqual([500, 250, 125]);
    expect(queue.isOpenTo(1)).toBe(false);
    leaving.abort();
    await Promise.all(held);
    expect([queue.waiting, queue.isOpenTo(1)]).toEqual([0, true]);
  });

  test("that waits is notified one after the other, with pauses for other requests", async () => {
    const news = new JobNotifier(world.context);
    const told: number[] = [];
    const gone = new AbortController().signal;
    const all = [1, 2, 3].map((each) => news.next(1, 50_000, gone).then(() => told.push(each)));
    const made = pending(simple);
    await Promise.race(all);
    expect(told).toEqual([1]);
    await Promise.all([...all, made]);
    expect(told).toEqual([1, 2, 3]);
  });

  test("waits at most 50 seconds", async () => {
    await emptyQueue();
    const last_update = lastUpdateOf(await request(everyone));
    const held = request(everyone, { last_update });
    await until(() => world.context.get(RunnerQueue).waiting === 1);
    world.clock.advance(49_999);
    expect(world.context.get(RunnerQueue).waiting).toBe(1);
    world.clock.advance(1);
    const answer = await held;
    expect([answer.status, lastUpdateOf(answer)]).toEqual([204, last_update]);
  });

  test("that was aborted gets no job", async () => {
    await emptyQueue();
    const last_update = lastUpdateOf(await request(everyone));
    const leaving = new AbortController();
    const held = fetch(`${world.origin}/api/v4/jobs/request`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: everyone, last_update }),
      signal: leaving.signal,
    });
    await until(() => world.context.get(RunnerQueue).waiting === 1);
    leaving.abort();
    await expect(held).rejects.toThrow();
    await until(() => world.context.get(RunnerQueue).waiting === 0);
    const { id } = await pending(simple);
    expect((await world.get(`/projects/${id}/jobs`)).body).toMatchObject([{ status: "pending" }]);
  });

  test("that waits is answered when the server stops", async () => {
    const folder = await createTempFolder();
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    const app = await startApp(configFor(folder.path), silent);
    const token = await makeRunner(app);
    const ask = (last_update = "") =>
      fetch(`${app.origin}/api/v4/jobs/request`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ token, last_update }),
      });
    const held = ask((await ask()).headers.get("x-gitlab-last-update") ?? "");
    await until(() => app.context.get(RunnerQueue).waiting === 1);
    const [answer] = await Promise.all([held, app.stop()]);
    expect(answer.status).toBe(204);
    await folder.remove();
  });
});

/** Looks again after each round of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
