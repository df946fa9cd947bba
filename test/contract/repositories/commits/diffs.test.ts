import { describe, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const project = await makeProject(world, { visibility: "public" });
const { id } = project;
const { create, change, remove } = filesOf(world, id, rootToken);
const at = `/projects/${id}/repository`;
const branch = (name: string, ref: string) =>
  world.call("POST", `${at}/branches`, { token: rootToken, json: { branch: name, ref } });
const diffOf = (sha: string, query = {}) => world.get(`${at}/commits/${sha}/diff`, { query });
const compare = (query: object, token: string | undefined = rootToken) =>
  world.call("GET", `${at}/compare`, { token, query: query as Record<string, string> });

await create("a.txt", { content: "one\ntwo\nthree" });
await branch("side", "main");
await change("a.txt", { content: "one\n2\nthree\nfour\n" });
await create("picture", { content: Buffer.from([1, 0, 2]).toString("base64"), encoding: "base64" });
await create("b.txt", { content: "b\n", branch: "side" });
await remove("a.txt");

const plain = { a_mode: "100644", b_mode: "100644", collapsed: false, too_large: false, generated_file: null };
const same = { new_file: false, renamed_file: false, deleted_file: false };

describe("the diff of a commit", () => {
  test("has the hunks of git, against the first parent or nothing", async () => {
    const text = "@@ -1,3 +1,4 @@\n one\n-two\n-three\n\\ No newline at end of file\n+2\n+three\n+four\n";
    const [, , changed, first] = (await world.get(`${at}/commits`)).body;
    const { body } = await diffOf(changed.id);
    expect(body).toEqual([{ diff: text, ...plain, new_path: "a.txt", old_path: "a.txt", ...same }]);
    const { body: added } = await diffOf(first.id);
    expect(added[0]).toMatchObject({ diff: expect.stringMatching(/^@@ -0,0 \+1,3 @@\n/), a_mode: "0", new_file: true });
    const { body: unified } = await diffOf(changed.id, { unidiff: true });
    expect(unified[0].diff).toBe(`--- a/a.txt\n+++ b/a.txt\n${text}`);
    const { body: begun } = await diffOf(first.id, { unidiff: true });
    expect(begun[0].diff).toStartWith("--- /dev/null\n+++ b/a.txt\n@@");
  });

  test("shows removed and binary files, and takes branches", async () => {
    const { body } = await diffOf("main");
    expect(body[0]).toMatchObject({ new_path: "a.txt", b_mode: "0", deleted_file: true });
    const [, picture] = (await world.get(`${at}/commits`)).body;
    const { body: binary } = await diffOf(picture.id, { unidiff: true });
    expect(binary[0].diff).toBe("Binary files /dev/null and b/picture differ\n");
    expect((await diffOf("nowhere")).body).toEqual({ message: "404 Commit Not Found" });
  });

  test("comes in pages without totals", async () => {
    const folder = folderOf(world, id);
    const names = Array.from({ length: 25 }, (_, number) => `many/${String(number).padStart(2, "0")}`);
    const input = names.map((name) => `M 100644 inline ${name}\ndata 2\nx\n\n`).join("");
    const commit = "commit refs/heads/many\ncommitter M <m@example.com> 1700000000 +0000\ndata 4\nMany\n";
    await git(["-C", folder, "fast-import", "--quiet"], commit + input);
    const { body: second, headers } = await diffOf("many", { page: 2 });
    expect(second.map(({ new_path }: { new_path: string }) => new_path)).toEqual(names.slice(20));
    expect([headers.get("x-page"), headers.get("x-total"), headers.get("x-next-page")]).toEqual(["2", null, ""]);
  });

  test("is kept from those who may not read the code", async () => {
    const hidden = await makeProject(world);
    await filesOf(world, hidden.id, rootToken).create("a");
    const [guest, stranger] = [await world.user(), await world.user()];
    addMember(world, hidden, guest, "guest", "project");
    for (const path of ["commits/main/diff", "compare?from=main&to=main"]) {
      const { status: asGuest } = await world.get(`/projects/${hidden.id}/repository/${path}`, { token: guest.token });
      const { status } = await world.get(`/projects/${hidden.id}/repository/${path}`, { token: stranger.token });
      expect([asGuest, status]).toEqual([403, 404]);
    }
  });
});

describe("a comparison", () => {
  test("has the commits and changes since the merge base, oldest first", async () => {
    const [newest, , oldest, base] = (await world.get(`${at}/commits`)).body;
    const { body } = await compare({ from: "side", to: "main" });
    expect(body.commits.map((commit: { id: string }) => commit.id)).toHaveLength(3);
    expect(body.commits[0]).toEqual(oldest);
    expect(body.commit).toEqual(newest);
    expect(body.diffs.map((diff: { new_path: string }) => diff.new_path)).toEqual(["a.txt", "picture"]);
    expect(body).toMatchObject({ compare_timeout: false, compare_same_ref: false });
    expect(body.web_url).toBe(`${project.web_url}/-/compare/${base.id}...${newest.id}`);
  });

  test("is with the other commit itself when it is straight", async () => {
    const { body } = await compare({ from: "side", to: "main", straight: true, unidiff: true });
    const paths = body.diffs.map((diff: { new_path: string }) => diff.new_path);
    expect(paths).toEqual(["a.txt", "b.txt", "picture"]);
    expect(body.diffs[1].diff).toBe("--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n");
  });

  test("is empty with the same commit, and with one that is ahead", async () => {
    const { body } = await compare({ from: "main", to: "main" });
    expect(body).toMatchObject({ commit: null, commits: [], diffs: [], compare_same_ref: true });
    const first = (await world.get(`${at}/commits`)).body.at(-1).id;
    expect((await compare({ from: "main", to: first })).body).toMatchObject({ commit: null, commits: [], diffs: [] });
  });

  test("refuses unknown refs, other projects and missing ends", async () => {
    expect((await compare({ from: "main", to: "nowhere" })).body).toEqual({ message: "404 Ref Not Found" });
    expect((await compare({ from: "nowhere", to: "main" })).status).toBe(404);
    const other = await compare({ from: "main", to: "main", from_project_id: 987_654 });
    expect([other.status, other.body]).toEqual([
      400,
      { message: `Target project id:987654 is not a fork of project id:${id}` },
    ]);
    expect((await compare({ from: "main", to: "side", from_project_id: id })).status).toBe(200);
    expect((await compare({ from: "main" })).body).toMatchObject({ error: "to is missing" });
  });
});

describe("the limits of diffs", () => {
  const set = (json: object) => world.call("PUT", "/application/settings", { token: rootToken, json });

  test("are settings", async () => {
    const { body } = await world.get("/application/settings", { token: rootToken });
    expect(body).toMatchObject({ diff_max_files: 1_000, diff_max_lines: 50_000, diff_max_patch_bytes: 204_800 });
    expect((await set({ diff_max_files: 3_001 })).status).toBe(400);
  });

  test("leave out what is too large, and collapse what is long in comparisons", async () => {
    const lines = Array.from({ length: 300 }, (_, number) => `line ${number}\n`).join("");
    await create("long.txt", { content: lines, branch: "side" });
    await set({ diff_max_patch_bytes: 20_000 });
    const { body: collapsed } = await compare({ from: "main", to: "side" });
    expect(collapsed.diffs.at(-1)).toMatchObject({ new_path: "long.txt", diff: "", collapsed: true, too_large: false });
    expect((await diffOf("side")).body[0]).toMatchObject({
      collapsed: false,
      diff: expect.stringContaining("line 299"),
    });
    await set({ diff_max_patch_bytes: 2_000 });
    expect((await diffOf("side")).body[0]).toMatchObject({ diff: "", collapsed: false, too_large: true });
    await set({ diff_max_patch_bytes: 204_800, diff_max_files: 1 });
    const { body: cut } = await compare({ from: "main", to: "side" });
    expect([cut.diffs.length, cut.compare_timeout]).toEqual([1, true]);
    await set({ diff_max_files: 1_000 });
  });
});
