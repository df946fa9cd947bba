import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const project = await makeProject(world, { visibility: "public" });
const { id } = project;
const { create, get } = filesOf(world, id, rootToken);
const at = `/projects/${id}/repository`;
const folder = folderOf(world, id);
await create("a.txt", { content: "one\n" });
await create("docs/é.md", { content: "# É\n" });
await create(`docs/${"long".repeat(40)}/b.txt`, { content: "b\n" });
const text = (await git(["-C", folder, "hash-object", "-w", "--stdin"], "a.txt")).trim();
const head = (await git(["-C", folder, "rev-parse", "main"])).trim();
await addEntries();

/** Adds what the files API has no word for: a link, a program and a submodule. */
async function addEntries() {
  const index = { GIT_INDEX_FILE: join(folder, "index-of-test") };
  const run = async (...args: string[]) => {
    const child = Bun.spawn(["git", "-C", folder, "-c", "user.name=M", "-c", "user.email=m@example.com", ...args], {
      env: { ...process.env, ...index },
      stdout: "pipe",
    });
    const out = await child.stdout.text();
    if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")} failed`);
    return out.trim();
  };
  await run("read-tree", "main");
  for (const [mode, oid, path] of [
    ["120000", text, "link"],
    ["100755", text, "tool"],
    ["160000", head, "module"],
  ] as const) {
    await run("update-index", "--add", "--cacheinfo", `${mode},${oid},${path}`);
  }
  const commit = await run("commit-tree", await run("write-tree"), "-p", "main", "-m", "Add kinds");
  await run("update-ref", "refs/heads/kinds/all", commit);
}

const kinds = (await git(["-C", folder, "rev-parse", "kinds/all"])).trim();
const archive = (format: string, query: Record<string, string> = {}) =>
  fetch(`${world.origin}/api/v4${at}/archive${format}?${new URLSearchParams(query)}`);

/** Unpacks an archive with the system's tools, and lists modes, paths and contents. */
async function unpacked(format: string, bytes: ArrayBuffer): Promise<string> {
  await using temp = await createTempFolder();
  const file = join(temp.path, "archive");
  const into = join(temp.path, "into");
  await Bun.write(file, bytes);
  await mkdir(into);
  const unpack = format === ".zip" ? ["unzip", "-q", file, "-d", into] : ["tar", "-xf", file, "-C", into];
  const unpacking = Bun.spawn(unpack, { stderr: "pipe" });
  if ((await unpacking.exited) !== 0) throw new Error(await unpacking.stderr.text());
  const list = 'find . -printf "%y %m %TY-%Tm-%Td %p %l\\n" | sort; find . -type f | sort | xargs -d "\\n" sha1sum';
  return await Bun.spawn(["sh", "-c", list], { cwd: into, env: { ...process.env, LC_ALL: "C.UTF-8" } }).stdout.text();
}

/** What git's own archive unpacks to, with the modes of this server. */
async function ofGit(format: string, revision: string, name: string, path: string[] = []): Promise<string> {
  const args = ["-C", folder, "-c", "tar.umask=0022", "archive", `--prefix=${name}/`];
  const child = Bun.spawn(["git", ...args, `--format=${format === ".zip" ? "zip" : "tar"}`, revision, ...path]);
  return unpacked(format, await new Response(child.stdout).arrayBuffer());
}

describe("an archive", () => {
  test.each(["", ".tar.gz", ".tgz", ".tar", ".zip"])("with the ending '%s' unpacks as git's does", async (format) => {
    const name = `${project.path}-kinds-all-${kinds}`;
    const response = await archive(format, { sha: "kinds/all" });
    const ending = format === ".zip" ? "zip" : format === ".tar" ? "tar" : "tar.gz";
    expect(response.headers.get("content-disposition")).toStartWith(`attachment; filename="${name}.${ending}"`);
    expect(response.headers.get("content-type")).toBe(
      format === ".zip" ? "application/zip" : "application/octet-stream",
    );
    const bytes = await response.arrayBuffer();
    expect(await unpacked(format, bytes)).toBe(await ofGit(format, "kinds/all", name));
    const again = await (await archive(format, { sha: "kinds/all" })).arrayBuffer();
    expect(Buffer.from(again).equals(Buffer.from(bytes))).toBe(true);
  });

  test("is of the default branch unless said, and names its commit", async () => {
    const response = await archive(".tar");
    expect(response.headers.get("content-disposition")).toContain(`${project.path}-main-${head}.tar`);
    const bytes = await response.bytes();
    const child = Bun.spawn(["git", "get-tar-commit-id"], { stdin: bytes });
    expect(await child.stdout.text()).toBe(`${head}\n`);
  });

  test("has only a path, and not what is excluded", async () => {
    const name = `${project.path}-main-${head}-docs`;
    const response = await archive("", { path: "docs/" });
    expect(response.headers.get("content-disposition")).toContain(`${name}.tar.gz`);
    expect(await unpacked("", await response.arrayBuffer())).toBe(await ofGit("", "main", name, ["docs"]));
    const rest = await unpacked("", await (await archive("", { exclude_paths: "docs,a.txt" })).arrayBuffer());
    expect(rest.split("\n").filter((line) => /^[fld] /.test(line))).toHaveLength(2);
  });

  test("is refused for what is not there, and in unknown formats", async () => {
    const answers: [string, Record<string, string>, number, string][] = [
      ["", { sha: "nowhere" }, 404, "404 File Not Found"],
      ["", { path: "nowhere" }, 404, "404 File Not Found"],
      [".tar.bz2", {}, 406, "406 Not Acceptable"],
    ];
    for (const [format, query, status, message] of answers) {
      const response = await archive(format, query);
      expect([response.status, await response.json()]).toEqual([status, { message }]);
    }
    expect((await archive(".rar")).status).toBe(404);
    const empty = await makeProject(world, { visibility: "public" });
    expect((await world.get(`/projects/${empty.id}/repository/archive`)).status).toBe(404);
  });

  test("holds its repository until its client is gone", async () => {
    const large = Buffer.alloc(6 << 20);
    crypto.getRandomValues(large.subarray(0, 65_536));
    for (let start = 65_536; start < large.length; start += 65_536) large.copyWithin(start, 0, 65_536);
    for (let start = 0; start < large.length; start += 1_000) large.writeUInt32LE(start, start);
    await create("large", {
      content: large.toString("base64"),
      encoding: "base64",
      branch: "large",
      start_branch: "main",
    });
    const token = { token: rootToken };
    const reads = Array.from({ length: 8 }, async () => {
      const response = await archive(".tar", { sha: "large" });
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    });
    await Promise.all(reads);
    for (let count = 0; count < 6; count += 1)
      await fetch(`${world.origin}/api/v4/projects/${id}/repository/archive`, { method: "HEAD" });
    const response = await archive(".zip", { sha: "large", path: "large" });
    expect(await unpacked(".zip", await response.arrayBuffer())).toContain("/large \n");
    expect((await world.call("GET", `${at}/branches/large`, token)).status).toBe(200);
  });
});

describe("a blob", () => {
  test("is in JSON, and as it is", async () => {
    const { body: found } = await get("a.txt");
    const { body } = await world.get(`${at}/blobs/${found.blob_id}`);
    expect(body).toEqual({ size: 4, encoding: "base64", content: btoa("one\n"), sha: found.blob_id });
    expect((await world.get(`${at}/blobs/${found.blob_id.slice(0, 8)}`)).body).toEqual(body);
    const raw = await world.get(`${at}/blobs/${found.blob_id}/raw`);
    expect([raw.text, raw.headers.get("content-disposition")]).toEqual(["one\n", "inline"]);
    expect(raw.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("of many bytes comes in pieces, up to a limit in JSON", async () => {
    const hash = async (bytes: string) => (await git(["-C", folder, "hash-object", "-w", "--stdin"], bytes)).trim();
    const large = await hash("x".repeat(3 << 20));
    const { body } = await world.get(`${at}/blobs/${large}`);
    expect([body.size, atob(body.content) === "x".repeat(3 << 20)]).toEqual([3 << 20, true]);
    const huge = await hash("x".repeat((16 << 20) + 1));
    expect((await world.get(`${at}/blobs/${huge}`)).status).toBe(413);
    expect((await world.get(`${at}/blobs/${huge}/raw`)).text).toHaveLength((16 << 20) + 1);
  });

  test("is no commit and no tree, and is kept from who may not read the code", async () => {
    const tree = (await git(["-C", folder, "rev-parse", "main^{tree}"])).trim();
    for (const sha of [head, tree, "0".repeat(40), "nowhere", "main"]) {
      expect((await world.get(`${at}/blobs/${sha}`)).body).toEqual({ message: "404 Blob Not Found" });
      expect((await world.get(`${at}/blobs/${sha}/raw`)).status).toBe(404);
    }
    const hidden = await makeProject(world);
    await filesOf(world, hidden.id, rootToken).create("a");
    const guest = await world.user();
    addMember(world, hidden, guest, "guest", "project");
    for (const path of [`blobs/${text}`, `blobs/${text}/raw`, "archive", "archive.zip"]) {
      const { status } = await world.get(`/projects/${hidden.id}/repository/${path}`, { token: guest.token });
      expect(status).toBe(403);
    }
  });
});
