import { describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
const dev = await world.user();

const job = (exists: string, name = "job") =>
  `${name}: {script: x, rules: [{exists: ${exists}}]}\nother: {script: x}\n`;

/** A project with `lib/a.txt` on `main`, and `lib/b.txt` on `side` beside it. */
async function library(visibility = "public"): Promise<string> {
  const { id, path_with_namespace } = await makeProject(world, { visibility });
  const files = filesOf(world, id, rootToken);
  await files.create("lib/a.txt");
  await files.create("lib/b.txt", { branch: "side", start_branch: "main" });
  return path_with_namespace;
}

async function project(ci: string) {
  const { id } = await makeProject(world);
  addMember(world, { id }, dev, "developer", "project");
  await putCiFile(world, id, ci);
  return {
    id: id as number,
    async names(token = dev.token) {
      const made = await makePipeline(world, id, {}, token);
      const { body } = await world.call("GET", `/projects/${id}/pipelines/${made.id}/jobs`, { token: rootToken });
      return body.map(({ name }: Json) => name).sort();
    },
    async refusal(token = dev.token) {
      const { status, body } = await world.call("POST", `/projects/${id}/pipeline`, { token, json: { ref: "main" } });
      return [status, body.message.base];
    },
  };
}

describe("rules: exists: project", () => {
  test.each([
    ["{paths: [lib/a.txt], project: PATH}", true],
    ['{paths: ["**/*.txt"], project: PATH}', true],
    ["{paths: [lib/b.txt], project: PATH}", false],
    ["{paths: [lib/b.txt], project: PATH, ref: side}", true],
    ["{paths: [.gitlab-ci.yml], project: PATH}", false],
    ["{paths: [], project: no/where}", false],
  ])("%s holds: %p", async (exists, isIncluded) => {
    const { names } = await project(job(exists.replace("PATH", await library())));
    expect(await names()).toEqual(isIncluded ? ["job", "other"] : ["other"]);
  });

  test("has variables in its names", async () => {
    const path = await library();
    const variables = `variables: {WHERE: ${path}, REF: side}\n`;
    const { names } = await project(`${variables}${job('{paths: [lib/b.txt], project: "$WHERE", ref: "$REF"}')}`);
    expect(await names()).toEqual(["job", "other"]);
  });

  test("refuses a project that is not there, one that the user may not read, and an unknown ref", async () => {
    const [hidden, open] = [await library("private"), await library()];
    const refused = (text: string) => [400, [`Failed to parse rule for job: ${text}`]];
    for (const [exists, text] of [
      ["{paths: [a], project: no/where}", "rules:exists:project `no/where` is not a valid project path"],
      [`{paths: [a], project: ${hidden}}`, `rules:exists:project \`${hidden}\` is not a valid project path`],
      [
        `{paths: [a], project: ${open}, ref: none}`,
        `rules:exists:ref \`none\` is not a valid ref in project \`${open}\``,
      ],
    ] as const) {
      expect(await (await project(job(exists))).refusal()).toEqual(refused(text));
    }
    const { names } = await project(job(`{paths: [lib/a.txt], project: ${hidden}}`));
    expect(await names(rootToken)).toEqual(["job", "other"]);
  });

  test("decides about includes and workflows", async () => {
    const path = await library();
    const included = (name: string) =>
      `{project: ${path}, file: ${name}, rules: [{exists: {paths: [lib/b.txt], project: ${path}`;
    const { id } = (await world.call("GET", `/projects/${encodeURIComponent(path)}`, { token: rootToken })).body;
    await filesOf(world, id, rootToken).create("more.yml", { content: "more: {script: x}\n" });
    const { names } = await project(
      `include: [${included("more.yml")}}}]}, ${included("more.yml")}, ref: side}}]}]\nown: {script: x}\n`,
    );
    expect(await names()).toEqual(["more", "own"]);
    const workflow = `workflow: {rules: [{exists: {paths: [none], project: ${path}}}]}\na: {script: x}\n`;
    expect(await (await project(workflow)).refusal()).toEqual([400, ["Pipeline filtered out by workflow rules."]]);
  });

  test("asks for at most twenty places", async () => {
    const rules = Array.from({ length: 21 }, (_, at) => `{exists: {paths: [a], project: "${at}/x"}}`);
    const { refusal } = await project(`a: {script: x, rules: [${rules.join(", ")}]}\n`);
    expect((await refusal())[0]).toBe(400);
  });
});
