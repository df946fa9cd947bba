import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendLog, makeRunner, runAllJobs, takeJob } from "../../support/ci/runner.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "a-token-for-tests-0123456789";
const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" };

const ci = `
stages: [build, test, deploy]
variables: {GREETING: hello}
.greeting: {script: [echo "$GREETING from $CI_JOB_NAME"]}
compile:
  stage: build
  script:
    - !reference
      - .greeting
      - script
    - cat "$TRIGGER_PAYLOAD"
    - cat source.txt
check:
  stage: test
  script: [echo "given $GIVEN", "test \\"$GIVEN\\" != broken"]
  after_script: echo afterwards
ship:
  stage: deploy
  rules: [if: $CI_COMMIT_BRANCH =~ /^ma(i)+n$/]
  script: echo "shipped $CI_COMMIT_SHA with $CI_JOB_TOKEN"
`;

let outpost: OutpostProcess;
let runner: string;
let project: Json;

async function call(method: string, path: string, json?: object, { origin } = outpost): Promise<Json> {
  const answer = await fetch(`${origin}${path.startsWith("/-/") ? "" : "/api/v4"}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : text;
}

beforeAll(async () => {
  outpost = await startOutpost({ env });
  runner = await makeRunner(outpost, {}, rootToken);
  await call("PUT", "/notification_settings", { level: "custom", success_pipeline: true, failed_pipeline: true });
  project = await call("POST", "/projects", { path: "ledger", initialize_with_readme: true });
  const commit = { branch: "main", commit_message: "Add a file [skip ci]" };
  await call("POST", `/projects/${project.id}/repository/files/source.txt`, { ...commit, content: "the source\n" });
  await call("POST", `/projects/${project.id}/repository/files/.gitlab-ci.yml`, { ...commit, content: ci });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

/** Triggers a pipeline, lets the runner run it, and tells how it ended. */
async function run(given: string) {
  const { token } = await call("POST", `/projects/${project.id}/triggers`, { description: "nightly" });
  const form = new URLSearchParams({ token, ref: "main", "variables[GIVEN]": given });
  const answer = await fetch(`${outpost.origin}/api/v4/projects/${project.id}/trigger/pipeline`, {
    method: "POST",
    body: form,
  });
  const { id } = (await answer.json()) as Json;
  await until("its first job is pending", async () => (await pipeline(id)).status !== "created");
  const ran = await runAllJobs(outpost, runner);
  const jobs: Json[] = await call("GET", `/projects/${project.id}/pipelines/${id}/jobs`);
  const logs = Object.fromEntries(
    await Promise.all(
      jobs.map(async (job) => [job.name, await call("GET", `/projects/${project.id}/jobs/${job.id}/trace`)]),
    ),
  );
  return {
    ran,
    pipeline: await pipeline(id),
    statuses: Object.fromEntries(jobs.map(({ name, status }) => [name, status])),
    logs,
  };
}

const pipeline = (id: number) => call("GET", `/projects/${project.id}/pipelines/${id}`);
const latestMail = async () => (await call("GET", "/-/outbox"))[0].event;

test("a pipeline of three stages, triggered over HTTP, runs to its end", async () => {
  const { ran, pipeline, statuses, logs } = await run("something");
  expect(ran).toEqual(["compile", "check", "ship"]);
  expect(pipeline).toMatchObject({ status: "success", source: "trigger", duration: expect.any(Number) });
  expect(statuses).toEqual({ compile: "success", check: "success", ship: "success" });
  expect(logs.compile).toContain("hello from compile");
  expect(logs.compile).toContain('{"ref":"main"');
  expect(logs.compile).toContain("the source");
  expect(logs.check).toBe("given something\nafterwards\n");
  expect(logs.ship).toMatch(new RegExp(`^shipped ${pipeline.sha} with x{26}\n$`));
  expect(await latestMail()).toBe("success_pipeline");
});

test("one with a failing job fails, and later jobs are skipped", async () => {
  const { ran, pipeline, statuses, logs } = await run("broken");
  expect(ran).toEqual(["compile", "check"]);
  expect([pipeline.status, statuses]).toEqual(["failed", { compile: "success", check: "failed", ship: "skipped" }]);
  expect(logs.check).toBe("given broken\nafterwards\n");
  expect(logs.ship).toBe("");
  expect(await latestMail()).toBe("failed_pipeline");
});

test("acknowledged pieces of a log are stored after the process was killed", async () => {
  await using folder = await createTempFolder();
  const dataFolder = `${folder.path}/data`;
  const pieces = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
  let job: Json;
  {
    await using first = await startOutpost({ dataFolder, env });
    const { id } = await call("POST", "/projects", { path: "ledger", initialize_with_readme: true }, first);
    const commit = { branch: "main", commit_message: "CI", content: "job: {script: x}" };
    await call("POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, commit, first);
    const token = await makeRunner(first, {}, rootToken);
    await until("there is a job", async () => {
      job = await takeJob(first, token);
      return job !== undefined;
    });
    let at = 0;
    for (const piece of pieces) {
      expect((await appendLog(first, job, piece, at)).status).toBe(202);
      at += piece.length;
    }
    await first.kill();
  }
  await using second = await startOutpost({ dataFolder, env });
  const path = `/projects/${job.job_info.project_id}/jobs/${job.id}/trace`;
  expect(await call("GET", path, undefined, second)).toBe(pieces.join(""));
  expect((await appendLog(second, job, "more", pieces.join("").length)).status).toBe(202);
});
