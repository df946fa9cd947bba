import { describe, expect, test } from "bun:test";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
const project = await makeProject(world);

const putFile = (id: number, path: string, content: string) => filesOf(world, id, rootToken).create(path, { content });
const lint = async (content: string, json: object = {}, token = rootToken): Promise<Json> =>
  (await world.call("POST", `/projects/${project.id}/ci/lint`, { token, json: { content, ...json } })).body;

describe("checking the text of a CI file", () => {
  test("tells all faults, and the merged file", async () => {
    const text = "image: [a]\njob:\n  script: x\n  tags: y\n";
    expect(await lint(text)).toEqual({
      valid: false,
      errors: [
        "image config should be a hash or a string (line 1, column 1)",
        "image name should be a string (line 1, column 1)",
        "image name can't be blank (line 1, column 1)",
        "jobs:job:tags config should be an array of strings (line 4, column 3)",
      ],
      warnings: [],
      merged_yaml: '---\nimage:\n  - a\njob:\n  script: x\n  tags: "y"\n',
      includes: [],
    });
    expect(await lint("a: [")).toMatchObject({ valid: false, merged_yaml: null, includes: [] });
    expect(await lint(" ")).toMatchObject({ valid: false, errors: ["Please provide content of .gitlab-ci.yml"] });
    const missing = await world.call("POST", `/projects/${project.id}/ci/lint`, { token: rootToken, json: {} });
    expect([missing.status, missing.body]).toMatchObject([400, { error: "content is missing" }]);
  });

  test("lists the jobs in the order of their stages, if asked", async () => {
    const text = `
later: {stage: deploy, script: [a, b], when: manual, needs: [{job: first, optional: true}], environment: prod}
first: {stage: build, script: c, tags: [d], rules: [{if: $A}]}`;
    const { jobs, valid } = await lint(text, { include_jobs: true });
    expect(valid).toBe(true);
    expect(jobs).toMatchObject([
      { name: "first", stage: "build", script: ["c"], tag_list: ["d"], only: null, when: "on_success", needs: null },
      {
        ...{ name: "later", script: ["a", "b"], when: "manual", allow_failure: true, environment: "prod" },
        ...{ only: { refs: ["branches", "tags"] }, needs: [{ name: "first", artifacts: true, optional: true }] },
      },
    ]);
    expect(await lint(text)).not.toHaveProperty("jobs");
    expect(await lint("a: b", { include_jobs: true })).toMatchObject({ jobs: [] });
  });

  test("knows no stage at all where the list of stages is empty", async () => {
    for (const stage of ["test", ".pre", ".post"]) {
      const { errors } = await lint(`stages: []\njob: {stage: ${stage}, script: x}`);
      expect(errors).toEqual([expect.stringContaining(`job job: chosen stage ${stage} does not exist`)]);
    }
  });

  test("warns of a last rule that always holds", async () => {
    const { valid, warnings } = await lint("job: {script: x, rules: [{if: $A}, {when: always}]}");
    expect([valid, warnings.length]).toEqual([true, 1]);
    expect(warnings[0]).toStartWith("jobs:job may allow multiple pipelines to run for a single action due to");
    const workflow = "workflow: {rules: [{when: always}]}\n";
    expect((await lint(`${workflow}job: {script: x, rules: [{when: always}]}`)).warnings).toEqual([]);
  });

  test("plans a pipeline, if asked, and makes none", async () => {
    const made = await makeProject(world);
    await putCiFile(world, made.id, "old: {script: x}");
    const path = `/projects/${made.id}/ci/lint`;
    const pipelines = async () =>
      (await world.call("GET", `/projects/${made.id}/pipelines`, { token: rootToken })).body;
    const before = await pipelines();
    const plan = async (content: string, json: object = {}) => {
      const options = { token: rootToken, json: { content, dry_run: true, include_jobs: true, ...json } };
      return (await world.call("POST", path, options)).body;
    };
    const text = "a: {script: x}\nb: {script: y, rules: [{if: $CI_COMMIT_TAG}]}";
    expect(await plan(text)).toMatchObject({ valid: true, jobs: [{ name: "a", script: ["x"] }] });
    expect(await plan(text, { ref: "none" })).toMatchObject({
      ...{ valid: false, errors: ["Reference not found"], merged_yaml: null, includes: null },
    });
    expect((await plan("a: {script: x, tags: y, when: z}")).errors).toEqual([
      "jobs:a when should be one of: on_success, on_failure, always, manual, delayed (line 1, column 25)",
    ]);
    expect((await plan("a: {stage: .pre, script: x}\nb: {stage: .post, script: x}")).errors).toEqual([
      "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.",
    ]);
    expect((await plan('a: {script: x, variables: {A: "$B", B: "$A"}}')).errors).toEqual([
      'a: circular variable reference detected: ["A", "B"]',
    ]);
    expect(await pipelines()).toEqual(before);
  });

  test("plans with the included files of the ref, and checks with those of the default branch", async () => {
    const made = await makeProject(world, { initialize_with_readme: true });
    const files = filesOf(world, made.id, rootToken);
    const more = "more: {script: $CI_COMMIT_REF_NAME}";
    expect((await files.create("more.yml", { content: more, branch: "side", start_branch: "main" })).status).toBe(201);
    const path = `/projects/${made.id}/ci/lint`;
    const content = "include: [{local: more.yml, rules: [{if: $CI_COMMIT_BRANCH == 'side'}]}]\njob: {script: x}";
    const post = async (json: object) =>
      (await world.call("POST", path, { token: rootToken, json: { content, ...json } })).body;
    const { commit } = (await world.get(`/projects/${made.id}/repository/branches/side`)).body;
    const planned = await post({ dry_run: true, ref: "side", include_jobs: true });
    expect(planned).toMatchObject({
      ...{ valid: true, errors: [], jobs: [{ name: "more" }, { name: "job" }] },
      merged_yaml: "---\nmore:\n  script: $CI_COMMIT_REF_NAME\njob:\n  script: x\n",
      includes: [{ location: "more.yml", context_sha: commit.id }],
    });
    for (const json of [{ ref: "side" }, { dry_run: true }]) {
      expect(await post(json)).toMatchObject({ valid: true, merged_yaml: "---\njob:\n  script: x\n", includes: [] });
    }
  });

  test("is for developers", async () => {
    const guest = await world.user({ username: "guest" });
    const dev = await world.user({ username: "dev" });
    const other = await world.user({ username: "other" });
    addMember(world, { id: project.id }, guest, "guest", "project");
    addMember(world, { id: project.id }, dev, "developer", "project");
    const statusOf = async (token: string) => {
      const options = { token, json: { content: "a: {script: x}" } };
      return (await world.call("POST", `/projects/${project.id}/ci/lint`, options)).status;
    };
    expect([await statusOf(guest.token), await statusOf(dev.token)]).toEqual([403, 200]);
    expect(await statusOf(other.token)).toBe(404);
  });
});

describe("checking the CI file of a project", () => {
  test("reads it with what it includes, of a commit if asked", async () => {
    const made = await makeProject(world);
    await putFile(made.id, "more.yml", "more: {script: y}");
    await putCiFile(world, made.id, "include: more.yml\njob: {script: x}");
    const path = `/projects/${made.id}/ci/lint`;
    const get = async (query = "") => (await world.call("GET", `${path}${query}`, { token: rootToken })).body;
    const read = await get();
    expect(read).toMatchObject({
      valid: true,
      errors: [],
      merged_yaml: '---\nmore:\n  script: "y"\njob:\n  script: x\n',
    });
    const sha = read.includes[0].context_sha;
    expect(read.includes).toEqual([
      {
        type: "local",
        location: "more.yml",
        blob: expect.stringMatching(new RegExp(`/${made.path_with_namespace}/-/blob/${sha}/more\\.yml$`)),
        raw: expect.stringMatching(new RegExp(`/${made.path_with_namespace}/-/raw/${sha}/more\\.yml$`)),
        extra: {},
        context_project: made.path_with_namespace,
        context_sha: sha,
      },
    ]);
    expect(await get("?dry_run=true&include_jobs=true")).toMatchObject({
      ...{ valid: true, jobs: [{ name: "more" }, { name: "job" }] },
    });
    await putFile(made.id, "x.txt", "x");
    expect(await get(`?content_ref=${sha}`)).toMatchObject({ valid: true });
    const none = await world.call("GET", `${path}?content_ref=none`, { token: rootToken });
    expect([none.status, none.body]).toEqual([404, { message: "404 Commit Not Found" }]);
  });

  test("shows components as such", async () => {
    const shop = await makeProject(world, { initialize_with_readme: true });
    await putFile(shop.id, "templates/unit.yml", "unit: {script: x}");
    const [{ id: sha }] = (await world.get(`/projects/${shop.id}/repository/commits`)).body;
    const location = `${new URL(world.origin).host}/${shop.path_with_namespace}/unit@main`;
    const made = await makeProject(world);
    await putCiFile(world, made.id, `include: [{component: '${location}'}]`);
    const { body } = await world.call("GET", `/projects/${made.id}/ci/lint`, { token: rootToken });
    expect(body.includes).toMatchObject([
      {
        ...{ type: "component", location, raw: null, extra: {}, context_project: made.path_with_namespace },
        blob: `${world.origin}/${shop.path_with_namespace}/-/blob/${sha}/templates/unit.yml`,
      },
    ]);
  });

  test("says what is missing", async () => {
    const bare = await makeProject(world);
    const { status, body } = await world.call("GET", `/projects/${bare.id}/ci/lint`, { token: rootToken });
    expect([status, body]).toEqual([404, { message: "404 Repository Not Found" }]);
    const made = await makeProject(world, { initialize_with_readme: true });
    const read = await world.call("GET", `/projects/${made.id}/ci/lint`, { token: rootToken });
    expect(read.body).toMatchObject({ valid: false, errors: ["Please provide content of .gitlab-ci.yml"] });
  });
});
