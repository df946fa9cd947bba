import { describe, expect, test } from "bun:test";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();
const noOid = "0".repeat(40);

async function project(ci: string | undefined, message?: string, attributes: Json = {}) {
  const { id } = await makeProject(world, { initialize_with_readme: true, ...attributes });
  if (ci !== undefined) await putCiFile(world, id, ci, message === undefined ? {} : { message });
  const post = async (what: "branches" | "tags", json: object) => {
    const before = (await world.get(`/projects/${id}/pipelines`)).body.length;
    const answer = await world.call("POST", `/projects/${id}/repository/${what}`, { token: rootToken, json });
    expect(answer.status).toBe(201);
    await world.jobsDone();
    const { body } = await world.get(`/projects/${id}/pipelines`);
    return body.length === before ? undefined : (await world.get(`/projects/${id}/pipelines/${body[0].id}`)).body;
  };
  return {
    id: id as number,
    branch: (branch: string) => post("branches", { branch, ref: "main" }),
    tag: (tag_name: string, more: object = {}) => post("tags", { tag_name, ref: "main", ...more }),
    names: async (pipeline: Json) =>
      (await world.get(`/projects/${id}/pipelines/${pipeline.id}/jobs`)).body.map(({ name }: Json) => name).sort(),
  };
}

const both =
  "on_tag: {script: x, rules: [{if: $CI_COMMIT_TAG}]}\non_branch: {script: x, rules: [{if: $CI_COMMIT_BRANCH}]}";
const add = "Add CI";

describe("a new tag", () => {
  test("starts a pipeline of its own", async () => {
    const { tag, names } = await project(both, add);
    const made = await tag("v1");
    expect(made).toMatchObject({ source: "push", ref: "v1", tag: true, before_sha: noOid, status: "pending" });
    expect(await names(made)).toEqual(["on_tag"]);
  });

  test("with a message is one of the commit, and its jobs know the message", async () => {
    const ci = "job: {script: x, rules: [{if: '$CI_COMMIT_TAG_MESSAGE == \"first\"'}]}";
    const { id, tag, names } = await project(ci, add);
    const made = await tag("v1", { message: "first" });
    expect(made).toMatchObject({ ref: "v1", tag: true, user: { username: "root" } });
    expect(await names(made)).toEqual(["job"]);
    const asked = await world.call("POST", `/projects/${id}/pipeline`, { token: rootToken, json: { ref: "v1" } });
    expect([asked.status, await names(asked.body)]).toEqual([201, ["job"]]);
  });
});

describe("a new branch", () => {
  test("starts a pipeline", async () => {
    const { branch, names } = await project(both, add);
    const made = await branch("side/x");
    expect(made).toMatchObject({ source: "push", ref: "side/x", tag: false, before_sha: noOid });
    expect(await names(made)).toEqual(["on_branch"]);
  });
});

describe("no pipeline is started", () => {
  test.each([
    ["without a CI file", undefined, {}],
    ["when the workflow does not want it", "workflow: {rules: [{when: never}]}\njob: {script: x}", {}],
    ["without jobs", "job: {script: x, rules: [{when: never}]}", {}],
    ["with pipelines switched off", "job: {script: x}", { builds_access_level: "disabled" }],
  ])("%s", async (_, ci, attributes) => {
    const { branch, tag } = await project(ci, add, attributes);
    expect([await branch("side"), await tag("v1")]).toEqual([undefined, undefined]);
  });
});

test("a commit that skips CI makes skipped pipelines, and a faulty file failed ones", async () => {
  const skipped = await project("job: {script: x}");
  for (const made of [await skipped.branch("side"), await skipped.tag("v1")]) {
    expect(made).toMatchObject({ status: "skipped", source: "push" });
  }
  const faulty = await project("job: {stage: none, script: x}", add);
  expect((await faulty.tag("v1")).yaml_errors).toContain("chosen stage none does not exist");
});
