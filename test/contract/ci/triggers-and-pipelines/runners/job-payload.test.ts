import { describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();

async function project(ci: string, attributes: Readonly<Record<string, unknown>> = {}) {
  const { id, path_with_namespace } = await makeProject(world, attributes);
  await putCiFile(world, id, ci);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id, tag_list: ["linux", "arm"] });
  return {
    id: id as number,
    path: path_with_namespace as string,
    make: (json: object = {}) => makePipeline(world, id, json),
    take: (json: object = {}): Promise<Json> => takeJob(world, runner, json),
    jobs: async (): Promise<Json[]> => (await world.get(`/projects/${id}/jobs?per_page=100`)).body,
  };
}

const variablesOf = (job: Json): Record<string, string> =>
  Object.fromEntries(job.variables.map(({ key, value }: Json) => [key, value]));

describe("the payload of a job", () => {
  test("has every part of a rich CI file", async () => {
    const { make, take } = await project(`
variables:
  PLAIN: {value: "$NAME!", description: shown}
  KEPT: {value: "$NAME!", expand: false}
  NAME: ada
default:
  hooks: {pre_get_sources_script: [echo before, echo sources]}
rich:
  image: {name: "ruby:3", kubernetes: {user: 1001}, docker: {user: dave}, pull_policy: [always, if-not-present]}
  services:
    - name: postgres:17
      alias: db
      command: [--fsync=off]
      variables: {DEBUG: true, PORT: 5432, NAME: db}
      pull_policy: if-not-present
      kubernetes: {user: "1002"}
  variables: {OWN: {value: "$KEPT", expand: false}, BOTH: "\${PLAIN} $KEPT $CI_PROJECT_DIR $$HOME"}
  before_script: [setup]
  script: [make]
  after_script: [tidy]
  timeout: 10 minutes
  cache:
    - {key: gems, paths: [vendor], fallback_keys: [main], policy: pull, when: always}
    - {key: shared, paths: [tmp], unprotect: true}
  artifacts:
    name: out
    paths: [dist]
    exclude: [dist/tmp]
    untracked: true
    when: on_failure
    expire_in: 3 days
    reports:
      junit: [a.xml, b.xml]
      sast: sast.json
      terraform: plan.json
      codequality: quality.json
      dotenv: vars.env
      coverage_report: {coverage_format: jacoco, path: cover.xml}
  secrets:
    PASSWORD: {vault: production/db/password@ops, file: false}
  release:
    tag_name: v1
    name: "Release $CI_COMMIT_SHA"
    description: Notes
    milestones: [m1]
    assets: {links: [{name: a, url: "https://a.example/"}]}
`);
    await make();
    const job = await take();
    expect(job.image).toEqual({
      name: "ruby:3",
      entrypoint: null,
      ports: [],
      pull_policy: ["always", "if-not-present"],
      executor_opts: { docker: { user: "dave" }, kubernetes: { user: 1001 } },
    });
    expect(job.services).toEqual([
      {
        name: "postgres:17",
        entrypoint: null,
        ports: [],
        pull_policy: ["if-not-present"],
        executor_opts: { kubernetes: { user: "1002" } },
        alias: "db",
        command: ["--fsync=off"],
        variables: [
          { key: "DEBUG", value: "true" },
          { key: "PORT", value: "5432" },
          { key: "NAME", value: "db" },
        ],
      },
    ]);
    expect(job.hooks).toEqual([{ name: "pre_get_sources_script", script: ["echo before", "echo sources"] }]);
    const step = { timeout: 600, when: "on_success", allow_failure: false };
    expect(job.steps).toEqual([
      { ...step, name: "script", script: ["setup", "make"] },
      {
        ...step,
        name: "release",
        script: [
          'release-cli create --name "Release $CI_COMMIT_SHA" --description "Notes" --tag-name "v1" --milestone "m1" --assets-link "{\\"name\\":\\"a\\",\\"url\\":\\"https://a.example/\\"}"',
        ],
      },
      { ...step, name: "after_script", script: ["tidy"], when: "always", allow_failure: true },
    ]);
    expect(job.cache).toEqual([
      {
        key: "gems-protected",
        untracked: false,
        paths: ["vendor"],
        policy: "pull",
        when: "always",
        fallback_keys: ["main-protected"],
      },
      {
        key: "shared-non_protected",
        untracked: false,
        paths: ["tmp"],
        policy: "pull-push",
        when: "on_success",
        fallback_keys: [],
      },
    ]);
    const report = (name: string, artifact_type: string, artifact_format: string, ...paths: string[]) => ({
      ...{ name, paths, when: "always", expire_in: "3 days", artifact_type, artifact_format },
    });
    expect(job.artifacts).toEqual([
      {
        ...{ name: "out", untracked: true, paths: ["dist"], exclude: ["dist/tmp"], when: "on_failure" },
        ...{ expire_in: "3 days", artifact_type: "archive", artifact_format: "zip" },
      },
      report("junit.xml", "junit", "gzip", "a.xml", "b.xml"),
      report("gl-sast-report.json", "sast", "raw", "sast.json"),
      report("tfplan.json", "terraform", "raw", "plan.json"),
      report("gl-code-quality-report.json", "codequality", "raw", "quality.json"),
      report(".env", "dotenv", "gzip", "vars.env"),
      report("jacoco-coverage.xml", "jacoco", "gzip", "cover.xml"),
    ]);
    expect(job.secrets).toEqual({
      PASSWORD: {
        file: false,
        vault: {
          engine: { name: "kv-v2", path: "ops" },
          path: "production/db",
          field: "password",
          server: { url: null, namespace: null, auth: { name: "jwt", path: "jwt", data: { jwt: "" } } },
        },
      },
    });
    const own = job.variables.filter(({ key }: Json) => /^(PLAIN|KEPT|NAME|OWN|BOTH)$/.test(key));
    const shown = { public: true, masked: false };
    expect(own).toEqual([
      { ...shown, key: "NAME", value: "ada" },
      { ...shown, key: "PLAIN", value: "ada!" },
      { ...shown, key: "KEPT", value: "$NAME!", raw: true },
      { ...shown, key: "OWN", value: "$KEPT", raw: true },
      { ...shown, key: "BOTH", value: "ada! $KEPT $CI_PROJECT_DIR $$HOME" },
    ]);
  });

  test("has no key for what the file does not have", async () => {
    const { make, take } = await project("a: {script: x, artifacts: {paths: [dist], exclude: []}}");
    await make();
    const job = await take();
    expect(job.artifacts[0]).not.toHaveProperty("exclude");
    expect(job).not.toHaveProperty("secrets");
    expect([job.hooks, job.image]).toEqual([[], null]);
  });

  test("keeps variables that name each other in a circle as they are, and one that names itself", async () => {
    const { id, make, take, jobs } = await project(
      'a: {script: x, variables: {A: "$B", PATH: "$PATH:bin"}, when: manual}',
    );
    await make();
    const json = { job_variables_attributes: [{ key: "B", value: "$A" }] };
    await world.call("POST", `/projects/${id}/jobs/${(await jobs())[0]?.id}/play`, { token: rootToken, json });
    expect(variablesOf(await take())).toMatchObject({ A: "$B", B: "$A", PATH: "$PATH:bin" });
  });
});

describe("a runner without a feature", () => {
  test.each([
    ["artifacts_exclude", "a: {script: x, artifacts: {paths: [a], exclude: [b]}}"],
    ["multi_build_steps", "a: {script: x, release: {tag_name: v1, description: x}}"],
  ])("%s does not get a job that needs it, and the job fails", async (feature, ci) => {
    const { make, take, jobs } = await project(ci);
    await make();
    expect(await take({ info: { features: { upload_multiple_artifacts: true } } })).toBeUndefined();
    expect(await jobs()).toMatchObject([{ status: "failed", failure_reason: "runner_unsupported" }]);
    await make();
    expect(await take({ info: { features: { [feature]: true } } })).toMatchObject({ job_info: { name: "a" } });
  });
});

test("a runner gets only jobs that have waited for the seconds that it names", async () => {
  const { make, take } = await project("a: {script: x}");
  await make();
  world.clock.advance(60_000);
  expect(await take({ job_age: 120 })).toBeUndefined();
  expect((await take({ job_age: 30 })).job_info.time_in_queue_seconds).toBe(60);
});

test("a job whose dependency was erased fails", async () => {
  const { id, make, take, jobs } = await project(
    "a: {stage: build, script: x}\nb: {stage: test, script: x}\nc: {stage: test, script: x, dependencies: []}",
  );
  await make();
  const first = await take();
  await appendLog(world, first, "made", 0);
  await finishJob(world, first, { state: "success" });
  await world.call("POST", `/projects/${id}/jobs/${first.id}/erase`, { token: rootToken });
  expect((await take()).job_info.name).toBe("c");
  expect((await jobs()).find(({ name }) => name === "b")).toMatchObject({
    status: "failed",
    failure_reason: "missing_dependency_failure",
  });
});

describe("predefined variables", () => {
  const host = () => new URL(world.origin);

  test("of the list reach a runner", async () => {
    const { path, id, make, take } = await project(
      `
workflow: {name: "Pipeline $CI_PIPELINE_IID of $CI_PROJECT_ROOT_NAMESPACE at $CI_SERVER_HOST"}
"deploy it: [a, b]":
  script: x
  stage: deploy
  environment: {name: review/$CI_COMMIT_REF_NAME, url: "https://$CI_ENVIRONMENT_SLUG.example"}
`,
      { description: "A ledger" },
    );
    await make();
    const pipeline = await make();
    expect(pipeline.name).toBe(`Pipeline 3 of root at ${host().hostname}`);
    expect(pipeline.iid).toBe(3);
    await take();
    const job = await take();
    const time = world.clock.time().replace(/\.\d+Z$/, "Z");
    expect(variablesOf(job)).toMatchObject({
      CI_SERVER_FQDN: host().host,
      CI_SERVER_HOST: host().hostname,
      CI_SERVER_PORT: host().port,
      CI_SERVER_PROTOCOL: "http",
      CI_SERVER_VERSION: "17.11.0",
      CI_SERVER_VERSION_MAJOR: "17",
      CI_SERVER_VERSION_MINOR: "11",
      CI_SERVER_VERSION_PATCH: "0",
      CI_SERVER: "yes",
      CI_PROJECT_DESCRIPTION: "A ledger",
      CI_PROJECT_ROOT_NAMESPACE: "root",
      CI_PROJECT_NAMESPACE_SLUG: "root",
      CI_CONFIG_PATH: ".gitlab-ci.yml",
      CI_REGISTRY: host().host,
      CI_REGISTRY_IMAGE: `${host().host}/${path}`,
      CI_REGISTRY_USER: "gitlab-ci-token",
      CI_REGISTRY_PASSWORD: job.token,
      CI_COMMIT_TITLE: "Add CI [skip ci]",
      CI_COMMIT_DESCRIPTION: "",
      CI_COMMIT_MESSAGE_IS_TRUNCATED: "false",
      CI_COMMIT_REF_PROTECTED: "false",
      CI_COMMIT_TIMESTAMP: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      CI_PIPELINE_IID: "3",
      CI_PIPELINE_CREATED_AT: time,
      CI_PIPELINE_NAME: pipeline.name,
      CI_PIPELINE_URL: `${world.origin}/${path}/-/pipelines/${pipeline.id}`,
      CI_JOB_NAME: "deploy it: [a, b]",
      CI_JOB_NAME_SLUG: "deploy-it---a--b",
      CI_JOB_GROUP_NAME: "deploy it",
      CI_JOB_STAGE: "deploy",
      CI_JOB_STARTED_AT: time,
      CI_NODE_TOTAL: "1",
      CI_ENVIRONMENT_NAME: "review/main",
      CI_ENVIRONMENT_SLUG: expect.stringMatching(/^review-main-[0-9a-z]{6}$/),
      CI_ENVIRONMENT_ACTION: "start",
      CI_ENVIRONMENT_TIER: "development",
      CI_RUNNER_TAGS: '["arm", "linux"]',
    });
    expect(variablesOf(job).CI_ENVIRONMENT_URL).toBe(`https://${variablesOf(job).CI_ENVIRONMENT_SLUG}.example`);
    expect(variablesOf(job)).not.toHaveProperty("CI_NODE_INDEX");
    expect(variablesOf(job)).not.toHaveProperty("CI_TRIGGER_SHORT_TOKEN");
    expect(id).toBeGreaterThan(0);
  });

  test.each([
    ['$CI_JOB_NAME =~ /^build/ && $CI_JOB_STAGE == "test"', true],
    ['$CI_JOB_NAME_SLUG == "build-a" && $CI_JOB_GROUP_NAME == "build a"', true],
    ['$CI_SERVER_HOST && $CI_SERVER_FQDN && $CI_SERVER_VERSION_MAJOR == "17"', true],
    ['$CI_COMMIT_REF_PROTECTED == "false"', true],
    ['$CI_NODE_TOTAL == "1" && $CI_NODE_INDEX == null', true],
    ["$CI_PIPELINE_IID && $CI_PIPELINE_CREATED_AT && $CI_COMMIT_TIMESTAMP", true],
    ['$CI_ENVIRONMENT_NAME == "review/main" && $CI_ENVIRONMENT_TIER == "development"', true],
    ['$CI_CONFIG_PATH == ".gitlab-ci.yml" && $CI_REGISTRY_IMAGE', true],
    ['$GITLAB_USER_LOGIN == "root"', true],
    ["$CI_JOB_ID || $CI_PIPELINE_ID || $CI_JOB_TOKEN || $CI_RUNNER_ID || $CI_REPOSITORY_URL", false],
  ])("a rule with %p holds: %p", async (expression, holds) => {
    const { make, take } = await project(`
build a: {script: x, environment: review/$CI_COMMIT_BRANCH, rules: [{if: '${expression}'}]}
other: {script: x}
`);
    await make();
    expect([(await take()).job_info.name, (await take())?.job_info.name]).toEqual(
      holds ? ["build a", "other"] : ["other", undefined],
    );
  });

  test("of the user come before those of the file, and those of the environment before all", async () => {
    const { make, take } = await project(`
variables: {GITLAB_USER_NAME: file, CI_JOB_NAME: file, CI_ENVIRONMENT_NAME: file}
job:
  script: x
  environment: prod
  variables: {GITLAB_USER_LOGIN: job, CI_JOB_STAGE: job, NAMED: $GITLAB_USER_LOGIN}
  rules: [{if: '$GITLAB_USER_LOGIN == "root" && $CI_JOB_STAGE == "job"'}]
`);
    await make({ variables: [{ key: "GITLAB_USER_EMAIL", value: "given" }] });
    expect(variablesOf(await take())).toMatchObject({
      GITLAB_USER_NAME: "Administrator",
      GITLAB_USER_LOGIN: "root",
      GITLAB_USER_EMAIL: "given",
      NAMED: "root",
      CI_JOB_NAME: "file",
      CI_JOB_STAGE: "job",
      CI_ENVIRONMENT_NAME: "prod",
    });
  });

  test("reach tags, resource groups and includes", async () => {
    const { id, make, take } = await project(`
include: [{local: "$CI_PROJECT_ROOT_NAMESPACE.yml"}, {local: "user-$GITLAB_USER_LOGIN.yml"}]
a: {script: x, tags: ["$CI_JOB_STAGE-$CI_SERVER_PROTOCOL"], resource_group: "$CI_JOB_NAME-$CI_REGISTRY"}
`);
    const put = (path: string, content: string) =>
      world.call("POST", `/projects/${id}/repository/files/${path}`, {
        token: rootToken,
        json: { branch: "main", content, commit_message: "Add a file [skip ci]" },
      });
    await put("root.yml", "included: {script: x}");
    await put("user-.yml", "unnamed: {script: x}");
    await make();
    const { body } = await world.get(`/projects/${id}/jobs`);
    expect(body.map(({ name, tag_list }: Json) => [name, tag_list]).sort()).toEqual([
      ["a", ["test-http"]],
      ["included", []],
      ["unnamed", []],
    ]);
    expect((await take()).job_info.name).toBe("included");
  });
});

test("a job with steps gets them as JSON in the place of a script", async () => {
  const { make, take } = await project(
    'a: {run: [{name: one, script: "echo 1"}, {name: two, step: ./two, inputs: {in: x}, env: {KEY: v}}]}',
    {},
  );
  await make();
  const { run, steps } = await take();
  expect(steps).toBeUndefined();
  expect(JSON.parse(run)).toEqual([
    { name: "one", script: "echo 1" },
    { name: "two", step: "./two", inputs: { in: "x" }, env: { KEY: "v" } },
  ]);
});
