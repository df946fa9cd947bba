import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

let clones = 0;
/** Clones with the credentials in the address, and returns the folder of the clone. */
async function clone(path: string, credentials = ""): Promise<string> {
  clones += 1;
  const target = join(folder.path, `clone${clones}`);
  await git(["clone", "-q", `${world.origin.replace("://", `://${credentials}`)}/${path}.git`, target]);
  return target;
}

const basic = (name: string, password: string) => ({ Authorization: `Basic ${btoa(`${name}:${password}`)}` });

describe.skipIf(missing !== undefined)("the stock client", () => {
  let project: { id: number; path_with_namespace: string };

  beforeAll(async () => {
    project = await makeProject(world, { visibility: "public", path: "open" });
    const { create } = filesOf(world, project.id, rootToken);
    await create("dir/a.txt", { content: "one\n" });
    await create("b.txt", { content: "side", branch: "side/x", start_branch: "main" });
    const json = { tag_name: "v1", ref: "main", message: "first" };
    await world.call("POST", `/projects/${project.id}/repository/tags`, { token: rootToken, json });
  });

  const check = async (target: string) => {
    expect(await Bun.file(join(target, "dir/a.txt")).text()).toBe("one\n");
    expect(await git(["-C", target, "branch", "-a"])).toContain("remotes/origin/side/x");
    expect(await git(["-C", target, "tag"])).toBe("v1\n");
    await git(["-C", target, "fsck", "--full", "--strict"]);
  };

  test("clones a public project without credentials", async () => {
    await check(await clone(project.path_with_namespace));
  });

  test("clones the folder of the repository", async () => {
    const target = join(folder.path, "local");
    await git(["clone", "-q", folderOf(world, project.id), target]);
    await check(target);
  });

  test("fetches later commits, packed or not", async () => {
    const target = await clone(project.path_with_namespace);
    await git(["-C", folderOf(world, project.id), "gc", "-q"]);
    await filesOf(world, project.id, rootToken).create("late.txt");
    await git(["-C", target, "pull", "-q"]);
    expect(await Bun.file(join(target, "late.txt")).exists()).toBe(true);
    await check(await clone(project.path_with_namespace));
  });

  test("clones an empty repository", async () => {
    const { path_with_namespace } = await makeProject(world, { visibility: "public" });
    const target = await clone(path_with_namespace);
    expect(await git(["-C", target, "branch", "-a"])).toBe("");
  });

  test("clones a private project with a token as the password", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "closed", initialize_with_readme: true });
    await expect(clone(path_with_namespace)).rejects.toThrow("could not read Username");
    await expect(clone(path_with_namespace, `ann:${ann.token}@`)).rejects.toThrow("not found");
    addMember(world, { id }, ann, "reporter", "project");
    const target = await clone(path_with_namespace, `ann:${ann.token}@`);
    expect(await Bun.file(join(target, "README.md")).text()).toContain("closed");
  });

  test("clones a project deep in groups, by its path and a former one", async () => {
    const { body: top } = await world.call("POST", "/groups", { token: rootToken, json: { name: "T", path: "top" } });
    const json = { name: "S", path: "sub", parent_id: top.id };
    const { body: sub } = await world.call("POST", "/groups", { token: rootToken, json });
    const attributes = { path: "deep.one", namespace_id: sub.id, initialize_with_readme: true };
    const { id } = await makeProject(world, attributes);
    await clone("top/sub/deep.one", `x:${rootToken}@`);
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { path: "renamed" } });
    await clone("top/sub/renamed", `x:${rootToken}@`);
    await clone("top/sub/deep.one", `x:${rootToken}@`);
  });
});

describe("the files", () => {
  const get = (path: string, headers: Record<string, string> = {}) => world.call("GET", path, { headers });

  test("of a private project require credentials, and are 404 for others", async () => {
    const { id, path_with_namespace } = await makeProject(world, { initialize_with_readme: true });
    const stranger = await world.user();
    for (const end of ["info/refs", "HEAD", "objects/info/packs", `objects/00/${"0".repeat(38)}`]) {
      const path = `/${path_with_namespace}.git/${end}`;
      const anonymous = await get(path);
      expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="outpost"']);
      const unknown = await get(path.replace(".git", "-not.git"));
      expect([unknown.status, unknown.body]).toEqual([401, anonymous.body]);
      const bad = await get(path, basic("root", "no-such-token-0123456789"));
      expect([bad.status, bad.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="outpost"']);
      expect((await get(path, basic("x", stranger.token))).status).toBe(404);
    }
    const refs = `/${path_with_namespace}.git/info/refs`;
    addMember(world, { id }, stranger, "guest", "project");
    expect((await get(refs, basic("x", stranger.token))).status).toBe(403);
    expect((await get(refs, basic("x", rootToken))).status).toBe(200);
    expect((await get(refs, { "PRIVATE-TOKEN": rootToken })).status).toBe(200);
  });

  test("are read with the scopes of the API or of repositories", async () => {
    const { id, path_with_namespace } = await makeProject(world, { initialize_with_readme: true });
    const reader = await world.user();
    addMember(world, { id }, reader, "reporter", "project");
    for (const [scope, status] of [
      ["read_repository", 200],
      ["write_repository", 200],
      ["read_api", 200],
      ["read_user", 403],
    ] as const) {
      const { token } = await world.token(reader.id, { scopes: [scope] });
      const answer = await get(`/${path_with_namespace}.git/info/refs`, basic("x", token));
      expect([scope, answer.status]).toEqual([scope, status]);
    }
  });

  test("are the refs, with the targets of annotated tags", async () => {
    const { id, path_with_namespace } = await makeProject(world, {
      visibility: "public",
      initialize_with_readme: true,
    });
    const tag = { tag_name: "v1", ref: "main", message: "first" };
    const { body } = await world.call("POST", `/projects/${id}/repository/tags`, { token: rootToken, json: tag });
    const { text, headers } = await get(`/${path_with_namespace}.git/info/refs`);
    const { id: sha } = body.commit;
    expect(text).toBe(`${sha}\trefs/heads/main\n${body.target}\trefs/tags/v1\n${sha}\trefs/tags/v1^{}\n`);
    expect(headers.get("content-type")).toStartWith("text/plain");
    expect((await get(`/${path_with_namespace}.git/HEAD`)).text).toBe("ref: refs/heads/main\n");
    expect((await get(`/${path_with_namespace}.git/objects/info/packs`)).text).toBe("\n");
    const head = await world.call("HEAD", `/${path_with_namespace}.git/HEAD`);
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("are objects and packs, and nothing else of the folder", async () => {
    const { path_with_namespace } = await makeProject(world, { visibility: "public", initialize_with_readme: true });
    for (const end of [
      "objects/info/alternates",
      "objects/info/http-alternates",
      `objects/ab/${"c".repeat(38)}`,
      "objects/pack/pack-x.pack",
      "objects/..%2Fconfig/x",
      "objects/pack/..%2F..%2Fconfig",
      "objects/ab/..%2F..%2FHEAD",
    ]) {
      expect([end, (await get(`/${path_with_namespace}.git/${end}`)).status]).toEqual([end, 404]);
    }
    expect((await get(`/${path_with_namespace}.git/config`)).body).toEqual({ error: "404 Not Found" });
    expect((await get("/nobody.git/HEAD")).status).toBe(401);
  });

  test("refuse other methods with 405", async () => {
    const { path_with_namespace } = await makeProject(world, { visibility: "public" });
    const options = await world.call("OPTIONS", `/${path_with_namespace}.git/HEAD`);
    expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, HEAD, GET"]);
    const put = await world.call("PUT", `/${path_with_namespace}.git/HEAD`);
    expect([put.status, put.headers.get("allow")]).toEqual([405, "OPTIONS, HEAD, GET"]);
  });
});

test("a clone of an address without .git is redirected, also where the project is hidden", async () => {
  const { path_with_namespace } = await makeProject(world, { initialize_with_readme: true, visibility: "public" });
  const answer = await fetch(`${world.origin}/${path_with_namespace}/info/refs?service=git-upload-pack`, {
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([
    301,
    `${world.origin}/${path_with_namespace}.git/info/refs?service=git-upload-pack`,
  ]);
  expect(await git(["clone", "-q", `${world.origin}/${path_with_namespace}`, `${folder.path}/redirected`])).toBe("");
  expect((await fetch(`${world.origin}/nobody/none/info/refs`, { redirect: "manual" })).status).toBe(301);
  expect((await fetch(`${world.origin}/single/info`, { redirect: "manual" })).status).toBe(404);
});
