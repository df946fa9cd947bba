import { describe, expect, test } from "bun:test";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
const template = `
spec:
  inputs:
    job: {default: test}
    count: {type: number, default: 1}
    script: {type: array}
---
$[[ inputs.job ]]:
  parallel: $[[ inputs.count ]]
  script:
    - $[[ inputs.script ]]
    - echo $[[ inputs.count ]]
`;

async function project(files: Readonly<Record<string, string>>) {
  const made = await makeProject(world);
  const { ".gitlab-ci.yml": ci = "", ...others } = files;
  for (const [path, content] of Object.entries(others)) {
    expect((await filesOf(world, made.id, rootToken).create(path, { content })).status).toBe(201);
  }
  await putCiFile(world, made.id, ci);
  const make = (json: object = {}) =>
    world.call("POST", `/projects/${made.id}/pipeline`, { token: rootToken, json: { ref: "main", ...json } });
  return { id: made.id as number, path: made.path_with_namespace as string, make };
}

async function jobsOf(project: number, pipeline: number): Promise<string[]> {
  const { body } = await world.get(`/projects/${project}/pipelines/${pipeline}/jobs`);
  return body.map(({ name }: Json) => name).sort();
}

describe("inputs of a CI file", () => {
  test("are given when a pipeline is created", async () => {
    const { id, make } = await project({ ".gitlab-ci.yml": template });
    const { status, body } = await make({ inputs: { job: "unit", count: 2, script: ["a", "b"] } });
    expect(status).toBe(201);
    expect(await jobsOf(id, body.id)).toEqual(["unit 1/2", "unit 2/2"]);
    const form = { ref: "main", "inputs[script]": '["a"]', "inputs[count]": "3" };
    const sent = await world.call("POST", `/projects/${id}/pipeline`, { token: rootToken, form });
    expect(await jobsOf(id, sent.body.id)).toEqual(["test 1/3", "test 2/3", "test 3/3"]);
  });

  test.each([
    [{}, "`script` input: required value has not been provided"],
    [
      { script: "x", count: "many" },
      "`count` input: provided value is not a number, `script` input: provided value is",
    ],
    [{ script: [], other: 1 }, "unknown input arguments: other"],
  ])("that do not fit are refused: %j", async (inputs, text) => {
    const { make } = await project({ ".gitlab-ci.yml": template });
    const { status, body } = await make({ inputs });
    expect(status).toBe(400);
    expect(body.message.base[0]).toStartWith(text);
  });

  test("are a hash, and the file has to take them", async () => {
    const { make } = await project({ ".gitlab-ci.yml": "a: {script: x}" });
    expect((await make({ inputs: ["x"] })).body.error).toBe("inputs is invalid");
    expect((await make({ inputs: { a: 1 } })).body.message.base).toEqual([
      "Given inputs not defined in the `spec` section of the included configuration file",
    ]);
  });

  test("are given to a trigger", async () => {
    const { id } = await project({ ".gitlab-ci.yml": template });
    const { token } = (
      await world.call("POST", `/projects/${id}/triggers`, { token: rootToken, json: { description: "x" } })
    ).body;
    const run = (inputs: object) =>
      world.call("POST", `/projects/${id}/trigger/pipeline`, { json: { ref: "main", token, inputs } });
    const { status, body } = await run({ script: ["a"], job: "by trigger" });
    expect(status).toBe(201);
    expect(await jobsOf(id, body.id)).toEqual(["by trigger 1/1"]);
    expect((await run({})).status).toBe(422);
  });

  async function downstreamOf(files: Readonly<Record<string, string>>) {
    const { id, make } = await project(files);
    const { body } = await make();
    await world.jobsDone();
    const [bridge] = (await world.get(`/projects/${id}/pipelines/${body.id}/bridges`)).body;
    return bridge;
  }

  test("are given to child pipelines, which may have several files", async () => {
    const bridge = await downstreamOf({
      "child.yml": template,
      "more.yml": "more: {script: x}",
      ".gitlab-ci.yml": `
child:
  variables: {FILE: child}
  trigger:
    include:
      - {local: $FILE.yml, inputs: {script: [x], job: from-parent}}
      - more.yml`,
    });
    expect(await jobsOf(bridge.downstream_pipeline.project_id, bridge.downstream_pipeline.id)).toEqual([
      "from-parent 1/1",
      "more",
    ]);
  });

  test("are given to pipelines of other projects", async () => {
    const other = await project({ ".gitlab-ci.yml": template });
    const inputs = "{script: [x], job: from-upstream}";
    const bridge = await downstreamOf({
      ".gitlab-ci.yml": `up: {trigger: {project: ${other.path}, inputs: ${inputs}}}`,
    });
    expect(await jobsOf(other.id, bridge.downstream_pipeline.id)).toEqual(["from-upstream 1/1"]);
  });

  test("of a component are given where it is included", async () => {
    const shop = await project({ "templates/unit/template.yml": template });
    const host = new URL(world.origin).host;
    const { id, make } = await project({
      ".gitlab-ci.yml": `include: [{component: '${host}/${shop.path}/unit@main', inputs: {script: [x]}}]`,
    });
    const { body } = await make();
    expect(await jobsOf(id, body.id)).toEqual(["test 1/1"]);
  });
});
