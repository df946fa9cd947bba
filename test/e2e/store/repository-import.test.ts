import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { $ } from "bun";
import { knownCredentials, rootHeaders } from "../../support/process/fault-client.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

let folder: TempFolder;
let data: string;
let outpost: OutpostProcess;
let count = 0;

const env = {
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" },
  ...{ GIT_AUTHOR_NAME: "Mara", GIT_AUTHOR_EMAIL: "mara@skylark.example" },
  ...{ GIT_COMMITTER_NAME: "Mara", GIT_COMMITTER_EMAIL: "mara@skylark.example" },
};
const git = async (at: string, ...args: readonly string[]): Promise<string> =>
  (
    await $`git -C ${at} ${args}`
      .env({ ...process.env, ...env })
      .quiet()
      .text()
  ).trim();

/** A repository with a merge, an annotated tag, a branch with a slash, and a note, which is no branch. */
async function makeSource(name: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(path);
  await git(path, "init", "--initial-branch", "trunk");
  await writeFile(join(path, "README.md"), "# Anemometer\n");
  await git(path, "add", ".");
  await git(path, "commit", "-m", "Begin");
  await git(path, "checkout", "-b", "feature/gusts");
  await writeFile(join(path, "gusts.txt"), "a line of wind\n".repeat(2_000));
  await git(path, "add", ".");
  await git(path, "commit", "-m", "Measure gusts");
  await git(path, "checkout", "trunk");
  await git(path, "commit", "--allow-empty", "-m", "Go on");
  await git(path, "merge", "--no-ff", "-m", "Merge gusts", "feature/gusts");
  await git(path, "tag", "-a", "v1", "-m", "The first");
  await git(path, "notes", "add", "-m", "a note", "HEAD");
  return path;
}

async function makeProject(): Promise<{ readonly id: number; readonly path: string }> {
  count += 1;
  const answer = await fetch(`${outpost.origin}/api/v4/projects`, {
    method: "POST",
    headers: { ...rootHeaders, "Content-Type": "application/json" },
    body: JSON.stringify({ name: `imported-${count}` }),
  });
  const { id, path_with_namespace: path } = (await answer.json()) as { id: number; path_with_namespace: string };
  return { id, path };
}

const read = async (path: string) =>
  (await (await fetch(`${outpost.origin}/api/v4${path}`, { headers: rootHeaders })).json()) as never;
const importInto = (project: string, source: string, ...more: readonly string[]) =>
  runOutpost(["repository", "import", project, source, "--data", data, ...more], { env: knownCredentials });

/** Every ref and object that a clone has, after the check of git. */
async function clonedRefs(path: string): Promise<string> {
  const target = join(folder.path, `clone-${count}`);
  const token = rootHeaders["PRIVATE-TOKEN"];
  const address = outpost.origin.replace("://", `://root:${token}@`);
  await git(folder.path, "clone", "--mirror", `${address}/${path}.git`, target);
  await git(target, "fsck", "--strict", "--full");
  return git(target, "for-each-ref", "refs/heads", "refs/tags");
}

beforeAll(async () => {
  folder = await createTempFolder();
  data = join(folder.path, "data");
  outpost = await startOutpost({ env: knownCredentials, dataFolder: data });
});
afterAll(async () => {
  await outpost[Symbol.asyncDispose]();
  await folder.remove();
});

describe("repository import", () => {
  test.each(["loose", "packed", "bare", "bundle"])(
    "brings a %s history into an empty project, beside a server",
    async (kind) => {
      const made = await makeSource(`source-${kind}`);
      let source = made;
      if (kind === "packed") await git(made, "gc", "--quiet");
      if (kind === "bare") {
        source = join(folder.path, "bare.git");
        await git(folder.path, "clone", "--mirror", made, source);
      }
      if (kind === "bundle") {
        source = join(folder.path, "whole.bundle");
        await git(made, "bundle", "create", source, "--all");
      }
      const { id, path } = await makeProject();
      const { exitCode, stdout, stderr } = await importInto(path, source, "--json");
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toEqual({
        ...{ project: path, branches: 2, tags: 1, commits: 4, objects: expect.any(Number), default_branch: "trunk" },
        left_out: ["refs/notes/commits"],
      });
      expect(await clonedRefs(path)).toBe(await git(made, "for-each-ref", "refs/heads", "refs/tags"));
      const project: Record<string, unknown> = await read(`/projects/${id}?statistics=true`);
      expect(project).toMatchObject({ default_branch: "trunk", statistics: { commit_count: 4 } });
      expect(project.readme_url).toEndWith("/-/blob/trunk/README.md");
      expect(await readdir(join(data, "imports"))).toEqual([]);
    },
  );

  test("works on a stopped store", async () => {
    const source = await makeSource("source-stopped");
    const { path } = await makeProject();
    await outpost.stop();
    const { exitCode, stderr } = await importInto(path, source);
    outpost = await startOutpost({ env: knownCredentials, dataFolder: data });
    expect([exitCode, stderr]).toEqual([
      0,
      `${path} has 2 branches and 1 tags with 4 commits; the default branch is trunk\nleft out: 1 refs that are neither branches nor tags\n`,
    ]);
    expect(await clonedRefs(path)).toBe(await git(source, "for-each-ref", "refs/heads", "refs/tags"));
  });

  test("refuses a project that has commits, and one that does not exist", async () => {
    const source = await makeSource("source-twice");
    const { path } = await makeProject();
    expect((await importInto(path, source)).exitCode).toBe(0);
    const again = await importInto(path, source);
    expect([again.exitCode, again.stderr]).toEqual([4, expect.stringContaining("the repository is not empty")]);
    expect((await importInto("nobody/nothing", source)).exitCode).toBe(4);
  });
});

describe("refused is", () => {
  test.each([
    ["a shallow clone", "is a shallow clone"],
    ["a bundle of a part", "is no whole history"],
    ["a folder without a repository", "is no git repository"],
    ["a file that is no bundle", "is no git bundle"],
    ["a repository without a commit", "the source has no branch"],
    ["a repository with a missing object", "is missing"],
    ["a repository with a damaged object", "is damaged"],
    ["a repository with a damaged pack", "is damaged"],
    ["an object under the name of another", "is damaged"],
    ["a tree that would write into .git", 'has an entry ".git"'],
    ["a repository with a huge commit", "has more than 4 MiB"],
    ["a repository with a huge tree", "has more than 16 MiB"],
    ["a repository with a merge of 1001 commits", "has more than 1000 parents"],
  ])("%s", async (kind, reason) => {
    const source = await hostileSource(kind);
    const { id, path } = await makeProject();
    const { exitCode, stderr } = await importInto(path, source);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect(await read(`/projects/${id}/repository/branches`)).toEqual([] as never);
    expect(await readdir(join(data, "imports"))).toEqual([]);
  });
});

async function hostileSource(kind: string): Promise<string> {
  const name = kind.replaceAll(" ", "-");
  const path = join(folder.path, name);
  if (kind === "a folder without a repository") await mkdir(path);
  else if (kind === "a file that is no bundle") await writeFile(path, "# v2 git bundle\n".repeat(10));
  else if (kind === "a repository without a commit") await git(folder.path, "init", path);
  else {
    const made = await makeSource(`made-${name}`);
    if (kind === "a shallow clone") await git(folder.path, "clone", "--depth", "1", `file://${made}`, path);
    else if (kind === "a bundle of a part") await git(made, "bundle", "create", path, "trunk~1..trunk");
    else await damage(made, kind);
    if (kind.startsWith("a repository") || kind.startsWith("an object") || kind.startsWith("a tree")) return made;
  }
  return path;
}

/** Damages a repository as the description says. */
async function damage(path: string, kind: string): Promise<void> {
  const objectFile = (oid: string) => join(path, ".git/objects", oid.slice(0, 2), oid.slice(2));
  const blob = objectFile(await git(path, "rev-parse", "HEAD:gusts.txt"));
  if (kind === "a repository with a missing object") return rm(blob);
  if (kind === "a repository with a damaged pack") {
    await git(path, "gc", "--quiet");
    const packs = join(path, ".git/objects/pack");
    const pack = join(packs, (await readdir(packs)).find((each) => each.endsWith(".pack")) ?? "");
    const bytes = await readFile(pack);
    bytes[40] = (bytes[40] ?? 0) ^ 0xff;
    await rm(pack);
    return writeFile(pack, bytes);
  }
  if (kind === "a tree that would write into .git") {
    const entry = Buffer.concat([
      Buffer.from("100644 .git\0"),
      Buffer.from(await git(path, "rev-parse", "HEAD:README.md"), "hex"),
    ]);
    const whole = Buffer.concat([Buffer.from(`tree ${entry.length}\0`), entry]);
    const oid = new Bun.CryptoHasher("sha1").update(whole).digest("hex");
    await mkdir(join(path, ".git/objects", oid.slice(0, 2)), { recursive: true });
    await writeFile(objectFile(oid), deflateSync(whole));
    const commit = await git(path, "commit-tree", "-m", "evil", oid);
    await git(path, "update-ref", "refs/heads/evil", commit);
    return;
  }
  if (kind === "a repository with a huge commit") {
    await writeFile(join(path, "message"), "a line of wind\n".repeat(300_000));
    await git(path, "commit", "--allow-empty", "-F", "message");
    return;
  }
  if (kind === "a repository with a merge of 1001 commits") {
    const [plain = "", head] = [await git(path, "cat-file", "commit", "HEAD"), await git(path, "rev-parse", "HEAD")];
    const text = `${plain.replace("\nauthor ", `${`\nparent ${head}`.repeat(1_001)}\nauthor `)}\n`;
    const commit = await $`git -C ${path} hash-object -t commit -w --stdin < ${Buffer.from(text)}`.quiet().text();
    await git(path, "update-ref", "refs/heads/merge", commit.trim());
    return;
  }
  if (kind === "a repository with a huge tree") {
    const readme = await git(path, "rev-parse", "HEAD:README.md");
    const entries = Array.from({ length: 80_000 }, (_, at) => `100644 blob ${readme}\t${`${at}-`.padEnd(200, "x")}\n`);
    const tree = await $`git -C ${path} mktree < ${Buffer.from(entries.join(""))}`.quiet().text();
    const commit = await git(path, "commit-tree", "-m", "large", tree.trim());
    await git(path, "update-ref", "refs/heads/large", commit);
    return;
  }
  const other = Buffer.from("blob 3\0two");
  await rm(blob);
  await writeFile(blob, kind === "an object under the name of another" ? deflateSync(other) : "no zlib");
}
