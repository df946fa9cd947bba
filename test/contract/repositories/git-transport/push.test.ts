import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { installTool } from "../../../support/process/system-tool.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const folder = await createTempFolder();
const missing = await installTool(["git", "--version"], "git");
afterAll(() => folder.remove());

let copies = 0;
const addressOf = (path: string, token = rootToken) => `${world.origin.replace("://", `://x:${token}@`)}/${path}.git`;

/** A work tree with some commits, whose remote is the project. */
async function workTree(path: string, commits = 3): Promise<string> {
  copies += 1;
  const target = join(folder.path, `work${copies}`);
  await git(["init", "-q", "-b", "main", target]);
  for (const [name, value] of [
    ["user.name", "Ann"],
    ["user.email", "ann@example.com"],
  ] as const) {
    await git(["-C", target, "config", name, value]);
  }
  await git(["-C", target, "remote", "add", "origin", addressOf(path)]);
  for (let at = 0; at < commits; at += 1) await commit(target, `dir/${at}.txt`, `content ${at}\n`);
  return target;
}

async function commit(target: string, path: string, text: string): Promise<string> {
  await Bun.write(join(target, path), text);
  await git(["-C", target, "add", "-A"]);
  await git(["-C", target, "commit", "-q", "-m", `change ${path}`]);
  return (await git(["-C", target, "rev-parse", "HEAD"])).trim();
}

/** Returns the output of a push that fails. */
async function refusalOf(target: string, ...args: readonly string[]): Promise<string> {
  try {
    await git(["-C", target, "push", ...args]);
  } catch (error) {
    return String(error);
  }
  throw new Error("the push was accepted");
}

const get = (path: string) => world.get(path);

describe.skipIf(missing !== undefined)("git push", () => {
  test("fills an empty project, and the API shows it at once", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "filled" });
    const target = await workTree(path_with_namespace);
    await Bun.write(join(target, ".gitlab-ci.yml"), "job: {script: [echo]}\n");
    const head = await commit(target, "README.md", "# Filled\n");
    await git(["-C", target, "push", "-q", "-u", "origin", "main"]);
    const { body: project } = await get(`/projects/${id}`);
    expect(project).toMatchObject({ default_branch: "main", empty_repo: false });
    expect(project.readme_url).toEndWith("/-/blob/main/README.md");
    const { body: commits } = await get(`/projects/${id}/repository/commits`);
    expect(commits.map(({ id: oid }: { id: string }) => oid)).toHaveLength(4);
    expect(commits[0].id).toBe(head);
    const { body: pipelines } = await get(`/projects/${id}/pipelines`);
    expect(pipelines).toMatchObject([{ sha: head, ref: "main", source: "push" }]);
    const { body: rules } = await get(`/projects/${id}/protected_branches`);
    expect(rules).toMatchObject([{ name: "main" }]);
    await git(["-C", folderOf(world, id), "fsck", "--full", "--strict"]);
  });

  test.each([0, 1, 2])("is cloned and fetched over protocol %i", async (version) => {
    const { id, path_with_namespace } = await makeProject(world, { path: `protocol-${version}` });
    const target = await workTree(path_with_namespace, 12);
    await git(["-C", target, "tag", "-a", "-m", "first", "v1", "HEAD~2"]);
    await git(["-C", target, "push", "-q", "origin", "main", "v1", "HEAD~4:refs/heads/side"]);
    const asked = ["-c", `protocol.version=${version}`];
    const clone = join(folder.path, `clone-${version}`);
    await git([...asked, "clone", "-q", addressOf(path_with_namespace), clone]);
    const log = (at: string) => git(["-C", at, "log", "--format=%H %s", "--all"]);
    expect((await log(clone)).split("\n").sort()).toEqual((await log(target)).split("\n").sort());
    await commit(target, "late.txt", "late\n");
    await git(["-C", target, "push", "-q", "origin", "main"]);
    await git(["-C", clone, ...asked, "pull", "-q"]);
    expect(await Bun.file(join(clone, "late.txt")).text()).toBe("late\n");
    const shallow = join(folder.path, `shallow-${version}`);
    await git([...asked, "clone", "-q", "--depth", "2", addressOf(path_with_namespace), shallow]);
    const count = async () => Number(await git(["-C", shallow, "rev-list", "--count", "HEAD"]));
    expect(await count()).toBe(2);
    await git(["-C", shallow, ...asked, "fetch", "-q", "--deepen", "3"]);
    expect(await count()).toBe(5);
    await git(["-C", shallow, ...asked, "fetch", "-q", "--unshallow"]);
    expect(await count()).toBe(13);
    for (const each of [clone, shallow]) await git(["-C", each, "fsck", "--full", "--strict"]);
    const oid = (await git(["-C", target, "rev-parse", "HEAD~6"])).trim();
    const bare = join(folder.path, `bare-${version}`);
    await git(["init", "-q", "--bare", bare]);
    await git(["-C", bare, ...asked, "fetch", "-q", addressOf(path_with_namespace), oid]);
    expect((await git(["-C", bare, "rev-parse", "FETCH_HEAD"])).trim()).toBe(oid);
    await git(["-C", folderOf(world, id), "fsck", "--full", "--strict"]);
  });

  test("clones without files fetch them later", async () => {
    const { path_with_namespace } = await makeProject(world, { path: "partial" });
    const target = await workTree(path_with_namespace, 6);
    await git(["-C", target, "push", "-q", "origin", "main"]);
    const clone = join(folder.path, "partial");
    await git(["clone", "-q", "--no-checkout", "--filter=blob:none", addressOf(path_with_namespace), clone]);
    const absent = (await git(["-C", clone, "rev-list", "--objects", "--missing=print", "HEAD"]))
      .split("\n")
      .filter((line) => line.startsWith("?"));
    expect(absent).toHaveLength(6);
    await git(["-C", clone, "checkout", "-q", "main"]);
    expect(await Bun.file(join(clone, "dir/5.txt")).text()).toBe("content 5\n");
  });

  test("of a developer is declined by the rules of branches and tags, in git's words", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "guarded" });
    const owner = await workTree(path_with_namespace);
    await git(["-C", owner, "push", "-q", "origin", "main", "HEAD:refs/heads/old", "HEAD:refs/tags/v1"]);
    const rule = { token: rootToken, json: { name: "v*" } };
    await world.call("POST", `/projects/${id}/protected_tags`, rule);
    const dev = await world.user();
    addMember(world, { id }, dev, "developer", "project");
    await git(["-C", owner, "remote", "set-url", "origin", addressOf(path_with_namespace, dev.token)]);
    await commit(owner, "more.txt", "more\n");
    const declined = async (text: string, ...args: readonly string[]) => {
      const printed = await refusalOf(owner, "origin", ...args);
      expect(printed).toContain(`remote: Outpost: ${text}`);
      expect(printed).toContain("(pre-receive hook declined)");
    };
    await declined("You are not allowed to push code to protected branches on this project.", "main");
    await declined("You are not allowed to create this tag as it is protected.", "HEAD:refs/tags/v2");
    await declined("The default branch of a project cannot be deleted.", ":main");
    const byMaintainers = "Only a project maintainer or owner can delete a protected tag.";
    await declined(`You are not allowed to delete protected tags from this project. ${byMaintainers}`, ":refs/tags/v1");
    const oid = "0a".repeat(20);
    for (const branch of [oid, `${oid}/x`, `${oid}-/x`]) {
      const text = "You cannot create a branch with a 40-character hexadecimal branch name.";
      await declined(text, `HEAD:refs/heads/${branch}`);
    }
    await declined("You cannot create a tag with a SHA-1 or SHA-256 tag name.", `HEAD:refs/tags/${oid}-x`);
    await git(["-C", owner, "push", "-q", "origin", `HEAD:refs/heads/${oid}-x`]);
    await git(["-C", owner, "push", "-q", "origin", `:refs/heads/${oid}-x`]);
    await git(["-C", owner, "push", "-q", "origin", "HEAD:refs/heads/feature", ":old"]);
    const { body: branches } = await get(`/projects/${id}/repository/branches`);
    expect(branches.map(({ name }: { name: string }) => name)).toEqual(["feature", "main"]);
    // One ref that is refused declines all.
    const printed = await refusalOf(owner, "origin", "HEAD:refs/heads/fine", "main");
    expect(printed.match(/pre-receive hook declined/g)).toHaveLength(2);
    expect((await get(`/projects/${id}/repository/branches/fine`)).status).toBe(404);
  });

  test("of a maintainer deletes no protected tag", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "tagged" });
    const target = await workTree(path_with_namespace);
    await git(["-C", target, "push", "-q", "origin", "main", "HEAD:refs/tags/v1"]);
    await world.call("POST", `/projects/${id}/protected_tags`, { token: rootToken, json: { name: "v*" } });
    expect(await refusalOf(target, "origin", ":refs/tags/v1")).toContain(
      "You can only delete protected tags using the web interface.",
    );
  });

  test("of commits that are dated before their parents is no forced push", async () => {
    const { path_with_namespace } = await makeProject(world, { path: "clocks" });
    const target = await workTree(path_with_namespace);
    await git(["-C", target, "push", "-q", "origin", "main"]);
    await commit(target, "late.txt", "late\n");
    const tree = (await git(["-C", target, "rev-parse", "HEAD^{tree}"])).trim();
    let head = (await git(["-C", target, "rev-parse", "HEAD~1"])).trim();
    for (const time of ["1000000000", "4000000000", "900000000"]) {
      const content = `tree ${tree}\nparent ${head}\nauthor A <a@b.c> ${time} +0000\ncommitter A <a@b.c> ${time} +0000\n\nwhy\n`;
      await Bun.write(join(target, "commit"), content);
      head = (await git(["-C", target, "hash-object", "-t", "commit", "-w", "commit"])).trim();
    }
    await git(["-C", target, "push", "-q", "origin", `${head}:main`]);
    expect(await refusalOf(target, "-f", "origin", "HEAD:main")).toContain("You are not allowed to force push code");
  });

  test("needs a developer, a token that may write, and a repository that takes changes", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "closed-to-most", visibility: "public" });
    const target = await workTree(path_with_namespace);
    const as = async (token: string) => {
      await git(["-C", target, "remote", "set-url", "origin", addressOf(path_with_namespace, token)]);
      return refusalOf(target, "origin", "main");
    };
    const person = await world.user();
    expect(await as(person.token)).toContain("You are not allowed to push code to this project.");
    addMember(world, { id }, person, "maintainer", "project");
    const { token: readOnly } = await world.token(person.id, { scopes: ["read_repository"] });
    expect(await as(readOnly)).toContain("You are not allowed to upload code.");
    await world.call("POST", `/projects/${id}/archive`, { token: rootToken });
    expect(await as(person.token)).toContain("You can't push code to an archived project.");
    await world.call("POST", `/projects/${id}/unarchive`, { token: rootToken });
    await git(["-C", target, "push", "-q", "origin", "main"]);
  });

  test("takes options for its pipelines", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "options" });
    const target = await workTree(path_with_namespace);
    await Bun.write(join(target, ".gitlab-ci.yml"), "job: {script: [echo], rules: [{if: '$A == \"1=2\"'}]}\n");
    await commit(target, "a.txt", "a\n");
    await git(["-C", target, "push", "-q", "-o", "ci.skip", "origin", "main"]);
    await commit(target, "b.txt", "b\n");
    await git(["-C", target, "push", "-q", "-o", "ci.variable=A=1=2", "-o", "nobody.knows=this", "origin", "main"]);
    await world.jobsDone();
    const { body: pipelines } = await get(`/projects/${id}/pipelines`);
    expect(pipelines).toMatchObject([{ status: "pending" }, { status: "skipped" }]);
    const { body: variables } = await get(`/projects/${id}/pipelines/${pipelines[0].id}/variables`);
    expect(variables).toMatchObject([{ key: "A", value: "1=2" }]);
    const branches = [1, 2, 3, 4, 5, 6].map((at) => `HEAD:refs/heads/b${at}`);
    await git(["-C", target, "push", "-q", "-o", "ci.skip", "origin", ...branches]);
    expect((await get(`/projects/${id}/pipelines`)).body).toHaveLength(6);
  });

  test("of several refs is all or nothing when it is atomic", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "atomic" });
    const target = await workTree(path_with_namespace);
    await git(["-C", target, "push", "-q", "origin", "main"]);
    const refs = ["HEAD:refs/heads/a", "HEAD:refs/heads/main/b"];
    const printed = await refusalOf(target, "--atomic", "origin", ...refs);
    expect(printed).toContain("(atomic push failure)");
    expect(printed).toContain("(failed to update ref)");
    expect((await get(`/projects/${id}/repository/branches/a`)).status).toBe(404);
    expect(await refusalOf(target, "origin", ...refs)).toContain("main/b (failed to update ref)");
    expect((await get(`/projects/${id}/repository/branches/a`)).status).toBe(200);
  });

  test("puts a branch in the place of a folder that goes, and the other way round", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "folders" });
    const target = await workTree(path_with_namespace);
    await git(["-C", target, "push", "-q", "origin", "main", "HEAD:refs/heads/a/b", "HEAD:refs/heads/c"]);
    await git(["-C", target, "push", "-q", "origin", ":a/b", "HEAD:refs/heads/a", ":c", "HEAD:refs/heads/c/d/e"]);
    const { body: branches } = await get(`/projects/${id}/repository/branches`);
    expect(branches.map(({ name }: { name: string }) => name)).toEqual(["a", "c/d/e", "main"]);
    expect(await refusalOf(target, "origin", "HEAD:refs/heads/a/x")).toContain("(failed to update ref)");
    expect(await refusalOf(target, "origin", "HEAD:refs/heads/c/d")).toContain("(failed to update ref)");
  });

  test("puts objects in place that a fetch tells of when they are damaged later", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "damaged" });
    const target = await workTree(path_with_namespace);
    await Bun.write(join(target, "large.bin"), crypto.getRandomValues(new Uint8Array(50_000)));
    await commit(target, "more.txt", "more\n");
    await git(["-C", target, "push", "-q", "origin", "main"]);
    const packs = join(folderOf(world, id), "objects/pack");
    const [pack = ""] = readdirSync(packs).filter((name) => name.endsWith(".pack"));
    await chmod(join(packs, pack), 0o600);
    const bytes = await Bun.file(join(packs, pack)).bytes();
    bytes.fill(0x55, bytes.length - 20_000, bytes.length - 19_000);
    await Bun.write(join(packs, pack), bytes);
    for (const version of [0, 2]) {
      const cloned = git([
        "-c",
        `protocol.version=${version}`,
        "clone",
        "-q",
        addressOf(path_with_namespace),
        `${target}.x`,
      ]);
      await expect(cloned).rejects.toThrow("remote: fatal: the server could not read all objects of the repository");
    }
  });

  test("loses to a change that came before it", async () => {
    const { id, path_with_namespace } = await makeProject(world, { path: "raced" });
    const target = await workTree(path_with_namespace);
    await git(["-C", target, "push", "-q", "origin", "main"]);
    await filesOf(world, id, rootToken).create("by-api.txt");
    await commit(target, "mine.txt", "mine\n");
    expect(await refusalOf(target, "origin", "main")).toContain("[rejected]");
    await git(["-C", target, "pull", "-q", "--rebase", "origin", "main"]);
    await git(["-C", target, "push", "-q", "origin", "main"]);
    await git(["-C", folderOf(world, id), "fsck", "--full", "--strict"]);
  });
});
