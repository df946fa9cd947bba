import { describe, expect, spyOn, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { filesOf, folderOf, git, makeProject } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);
const dev = await world.user();

/** A project with these files, the CI file last; commits make no pipelines. */
async function project(files: Readonly<Record<string, string>>) {
  const made = await makeProject(world);
  addMember(world, made, dev, "developer", "project");
  const { ".gitlab-ci.yml": ci = "", ...others } = files;
  for (const [path, content] of Object.entries(others)) {
    const { status } = await filesOf(world, made.id, rootToken).create(path, { content });
    expect(status).toBe(201);
  }
  await putCiFile(world, made.id, ci);
  const make = (json: object = {}) =>
    world.call("POST", `/projects/${made.id}/pipeline`, { token: dev.token, json: { ref: "main", ...json } });
  const namesOf = async (pipeline: number): Promise<string[]> =>
    (await world.get(`/projects/${made.id}/pipelines/${pipeline}/jobs`)).body.map(({ name }: Json) => name).sort();
  return {
    id: made.id as number,
    path: made.path_with_namespace as string,
    make,
    names: async (json: object = {}) => namesOf((await makePipeline(world, made.id, json, dev.token)).id),
    refused: async () => (await make()).body.message.base[0],
    push: async (path: string) => {
      const { id } = made;
      await filesOf(world, id, dev.token).create(path, { content: path });
      const [latest] = (await world.get(`/projects/${id}/pipelines?source=push`)).body;
      return namesOf(latest.id);
    },
  };
}

describe("include", () => {
  test.each(["main", "refs/heads/main", undefined])(
    "of a push reads the pushed commit of its own project, by %s",
    async (ref) => {
      const { id, path, push } = await project({});
      const file = { project: path, file: "pushed.yml", ...(ref === undefined ? {} : { ref }) };
      await filesOf(world, id, rootToken).remove(".gitlab-ci.yml");
      await filesOf(world, id, rootToken).create("pushed.yml", { content: "old: {script: x}" });
      await putCiFile(world, id, JSON.stringify({ include: [file] }));
      await filesOf(world, id, rootToken).change("pushed.yml", { content: "new: {script: x}" });
      const [latest] = (await world.get(`/projects/${id}/pipelines?source=push`)).body;
      const jobs = (await world.get(`/projects/${id}/pipelines/${latest.id}/jobs`)).body;
      expect(jobs.map(({ name }: Json) => name)).toEqual(["new"]);
      expect(await push("another.txt")).toEqual(["new"]);
    },
  );

  test("merges files of the same repository; the file itself takes precedence", async () => {
    const { names, id } = await project({
      "ci/base.yml": "default: {tags: [base]}\n.job: {script: x}\na: {extends: .job}\ninclude: /ci/more.yaml",
      "ci/more.yaml": "b: {script: more, tags: [more]}",
      "ci/all/one.yml": "c: {script: x}",
      "ci/all/two.yml": "d: {script: x}",
      "off.yml": "e: {script: x}",
      ".gitlab-ci.yml": `
include:
  - ci/base.yml
  - {local: 'ci/all/*.yml'}
  - {local: off.yml, rules: [{if: '$WITH == "off"'}]}
b: {tags: [own]}`,
    });
    expect(await names()).toEqual(["a", "b", "c", "d"]);
    expect(await names({ variables: [{ key: "WITH", value: "off" }] })).toContain("e");
    const { body } = await world.get(`/projects/${id}/jobs?per_page=100`);
    expect(body.find(({ name }: Json) => name === "b").tag_list).toEqual(["own"]);
    expect(body.find(({ name }: Json) => name === "a").tag_list).toEqual(["base"]);
  });

  test("lists the files of another project once, however often it is included", async () => {
    const shared = await project({ "all.yml": "include: 'parts/*.yml'", "parts/a.yml": "a: {script: x}" });
    const readsOf = async (count: number) => {
      const entries = Array.from({ length: count }, () => ({ project: shared.path, ref: "main", file: "all.yml" }));
      const { names } = await project({ ".gitlab-ci.yml": JSON.stringify({ include: entries }) });
      using reads = spyOn(world.context.repositories, "read");
      expect(await names()).toEqual(["a"]);
      return reads.mock.calls.length;
    };
    // Each include resolves the ref and reads two files.
    expect((await readsOf(8)) - (await readsOf(1))).toBe(7 * 3);
  });

  test("merges files of another project that the user may read", async () => {
    const shared = await project({
      "ci/shared.yml": "shared: {script: x}\ninclude: ci/next.yml",
      "ci/next.yml": "n: {script: x}",
    });
    const file = `include: [{project: ${shared.path}, ref: main, file: [/ci/shared.yml]}]`;
    expect(await (await project({ ".gitlab-ci.yml": file })).names()).toEqual(["n", "shared"]);
    const hidden = await makeProject(world, { initialize_with_readme: true });
    const of = (path: string, more: string) => project({ ".gitlab-ci.yml": `include: {project: ${path}, ${more}}` });
    expect(await (await of(hidden.path_with_namespace, "file: a.yml")).refused()).toBe(
      `Project \`${hidden.path_with_namespace}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
    );
    expect(await (await of(shared.path, "file: a.yml")).refused()).toBe(
      `Project \`${shared.path}\` file \`a.yml\` does not exist!`,
    );
    expect(await (await of(shared.path, "ref: nope, file: a.yml")).refused()).toBe(
      `Project \`${shared.path}\` reference \`nope\` does not exist!`,
    );
  });

  test.each([
    ["none.yml", "Local file `none.yml` does not exist!"],
    ["a.txt", "Included file `a.txt` does not have YAML extension!"],
    ["empty.yml", "Local file `empty.yml` is empty!"],
    ["{local: none.yml, project: {toString: x}}", "Each include must use only one of: `local`, `project`, `remote`"],
    ["bad.yml", "`bad.yml`: (<unknown>): did not find expected node content while parsing a flow node at line 1"],
    [
      "https://ci.example/x.yml",
      "Remote file `https://ci.example/x.yml` could not be fetched because this server reads files",
    ],
    ["{template: Auto.yml}", "Template file `Auto.yml` is not a valid location!"],
    [
      "{locl: x.yml}",
      '`{"locl":"x.yml"}` does not have a valid subkey for include. Valid subkeys are: `local`, `project`',
    ],
    ["{ref: main}", '`{"ref":"main"}` does not have a valid subkey for include.'],
    ["[[1]]", "Each include must be a hash or a string"],
    ["again.yml", "Maximum of 150 nested includes are allowed!"],
  ])("of %s is refused", async (include, text) => {
    const ci = `include: ${include}\na: {script: x}`;
    const again = "include: [again.yml, again.yml]";
    const { refused } = await project({ "empty.yml": " ", "bad.yml": "[", "again.yml": again, ".gitlab-ci.yml": ci });
    expect(await refused()).toStartWith(text);
  });
});

describe("rules and only", () => {
  test("match the files of the repository", async () => {
    const { names } = await project({
      "src/deep/main.rb": "x",
      ".gitlab-ci.yml": `
variables: {DIR: src}
a: {script: x, rules: [{exists: ["**/*.rb"]}]}
b: {script: x, rules: [{exists: ["*.rb"]}]}
c: {script: x, rules: [{exists: {paths: [none, "$DIR/deep/main.rb"]}}]}
d: {script: x, rules: [{exists: [src/deep/main.rb], if: $NO}]}`,
    });
    expect(await names()).toEqual(["a", "c"]);
  });

  test("match without a look when the paths of the repository are too long together", async () => {
    const ci = 'a: {script: x, rules: [{exists: ["nothing.*"]}]}\nb: {script: x}';
    const { id, names } = await project({ ".gitlab-ci.yml": ci });
    expect(await names()).toEqual(["b"]);
    const at = ["-C", folderOf(world, id), "-c", "user.name=x", "-c", "user.email=x"];
    const run = async (args: readonly string[], input?: string) => (await git([...at, ...args], input)).trim();
    const blob = await run(["hash-object", "-w", "--stdin"]);
    let tree = await run(["mktree"], Array.from({ length: 1_100 }, (_, n) => `100644 blob ${blob}\t${n}\n`).join(""));
    for (let depth = 0; depth < 19; depth += 1) {
      tree = await run(["mktree"], `040000 tree ${tree}\t${"d".repeat(200)}\n`);
    }
    const root = await run(["mktree"], `${await run(["ls-tree", "main"])}\n040000 tree ${tree}\tdeep\n`);
    await run(["update-ref", "refs/heads/deep", await run(["commit-tree", root, "-m", "x"])]);
    expect(await names({ ref: "deep" })).toEqual(["a", "b"]);
  });

  test("match the files that a push changed; without a push or on a new branch, all files count as changed", async () => {
    const { names, push } = await project({
      "docs/a.md": "x",
      ".gitlab-ci.yml": `
all: {script: x}
docs: {script: x, rules: [{changes: ["docs/**/*"]}]}
code: {script: x, rules: [{changes: {paths: ["*.ts", "src/*"]}, when: manual}]}
old: {script: x, only: {changes: ["docs/*"]}}
not: {script: x, except: {changes: ["docs/*"]}}`,
    });
    expect(await names()).toEqual(["all", "code", "docs", "old"]);
    expect(await push("docs/deep/b.md")).toEqual(["all", "docs", "not"]);
    expect(await push("src/b.ts")).toEqual(["all", "code", "not"]);
    expect(await push("docs/c.md")).toEqual(["all", "docs", "old"]);
  });
});
