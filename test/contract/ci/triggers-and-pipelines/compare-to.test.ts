import { describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();

const job = (paths: string, compareTo: string, more = "") =>
  `job: {${more}script: x, rules: [{changes: {paths: [${paths}], compare_to: "${compareTo}"}}]}\nother: {script: x}`;

/** `main` has `c.txt` since `side` left it, which has `a.txt`. */
async function project(ci: string) {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const files = filesOf(world, id, rootToken);
  const commit_message = "x [skip ci]";
  await files.create("a.txt", { branch: "side", start_branch: "main", commit_message });
  await files.create("c.txt", { commit_message });
  await world.call("POST", `/projects/${id}/repository/tags`, {
    token: rootToken,
    json: { tag_name: "v1", ref: "main" },
  });
  return {
    id: id as number,
    names: async (ref: string) => {
      const made = await makePipeline(world, id, { ref });
      const { body } = await world.get(`/projects/${id}/pipelines/${made.id}/jobs`);
      return body.map(({ name }: Json) => name).sort();
    },
    refusal: async (ref: string) => {
      const json = { ref };
      const { status, body } = await world.call("POST", `/projects/${id}/pipeline`, { token: rootToken, json });
      return [status, body.message.base];
    },
  };
}

describe("rules: changes: compare_to", () => {
  test.each([
    ["side", "a.txt", "main", true],
    ["side", "c.txt", "main", false],
    ["side", "a.txt", "v1", true],
    ["side", "a.txt", "refs/heads/main", true],
    ["main", "c.txt", "side", true],
    ["main", "a.txt", "side", false],
    ["side", "a.txt", "side", false],
    ["side", "a.txt", "$CI_DEFAULT_BRANCH", true],
    ["side", "'*.md'", "main", false],
  ])("on %s for %s since %s: %p", async (ref, paths, compareTo, isIncluded) => {
    const { names } = await project(job(paths, compareTo));
    expect(await names(ref)).toEqual(isIncluded ? ["job", "other"] : ["other"]);
  });

  test("may differ by job", async () => {
    const { names } = await project(
      `variables: {BASE: side}\none: {script: x, variables: {BASE: main}, rules: [{changes: {paths: [a.txt], compare_to: $BASE}}]}\n${job("a.txt", "$BASE")}`,
    );
    expect(await names("side")).toEqual(["one", "other"]);
  });

  test.each(["none", "$NONE", "refs/heads/v1"])("refuses %s", async (compareTo) => {
    const { refusal } = await project(job("a.txt", compareTo));
    expect(await refusal("side")).toEqual([
      400,
      ["Failed to parse rule for job: rules:changes:compare_to is not a valid ref"],
    ]);
  });

  test("decides for a workflow, which lets no pipeline be for an unknown ref", async () => {
    const workflow = (ref: string) =>
      `workflow: {rules: [{changes: {paths: [a.txt], compare_to: ${ref}}}]}\nx: {script: x}`;
    const known = await project(workflow("main"));
    expect(await known.names("side")).toEqual(["x"]);
    const filtered = [400, ["Pipeline filtered out by workflow rules."]];
    expect(await known.refusal("main")).toEqual(filtered);
    expect(await (await project(workflow("none"))).refusal("side")).toEqual(filtered);
  });

  test("decides for an include", async () => {
    const include = (ref: string) =>
      `include: [{local: more.yml, rules: [{changes: {paths: [a.txt], compare_to: ${ref}}}]}]\nx: {script: x}`;
    const { id, names } = await project(include("main"));
    const more = { content: "more: {script: x}", commit_message: "x [skip ci]" };
    for (const branch of ["main", "side"]) await filesOf(world, id, rootToken).create("more.yml", { ...more, branch });
    expect([await names("side"), await names("main")]).toEqual([["more", "x"], ["x"]]);
    expect(await (await project(include("none"))).refusal("side")).toEqual([
      400,
      ["include:rules:changes:compare_to is not a valid ref"],
    ]);
  });

  test("names few refs in one file", async () => {
    const jobs = Array.from({ length: 21 }, (_, at) => job("a.txt", "main").replace("job:", `j${at}:`).split("\n")[0]);
    const { id, refusal, names } = await project("x: {script: x}");
    const branches = Array.from({ length: 21 }, (_, at) => `b${at}`);
    for (const branch of branches) {
      await world.call("POST", `/projects/${id}/repository/branches`, {
        token: rootToken,
        json: { branch, ref: "main" },
      });
    }
    const file = (count: number) =>
      jobs
        .slice(0, count)
        .map((each, at) => each?.replace("main", `b${at}`))
        .join("\n");
    await putCiFile(world, id, `${file(20)}\nx: {script: x}`);
    expect(await names("main")).toEqual(["x"]);
    await putCiFile(world, id, file(21));
    expect(await refusal("main")).toEqual([400, ["rules:changes:compare_to names too many refs (maximum is 20)"]]);
  });
});
