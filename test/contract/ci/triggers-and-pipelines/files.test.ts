import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { checkRepository, filesOf, makeProject } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);
const dev = await world.user({ name: "Dora Lindt", username: "dora" });

/** A fresh project in which dev is a developer, and what is asked of its files. */
async function project(attributes: Readonly<Record<string, unknown>> = {}) {
  const made = await makeProject(world, attributes);
  addMember(world, made, dev, "developer", "project");
  return { ...made, ...filesOf(world, made.id, dev.token) };
}

describe("creating a file", () => {
  test("as the first commit creates its branch, the default one", async () => {
    const { id, create, show } = await project();
    expect((await show()).body).toMatchObject({ default_branch: "main", empty_repo: true });
    const answer = await create("a.txt", { branch: "trunk", content: "one" });
    expect([answer.status, answer.body]).toEqual([201, { file_path: "a.txt", branch: "trunk" }]);
    expect((await show()).body).toMatchObject({ default_branch: "trunk", empty_repo: false, readme_url: null });
    const { body } = await world.get(`/projects/${id}/repository/branches`);
    expect(body).toMatchObject([{ name: "trunk", default: true }]);
    await checkRepository(world, id);
  });

  test("makes a commit of the caller, with the message and the time", async () => {
    const { id, create } = await project();
    await create("a.txt", { commit_message: "Add a\n\nSigned-off-by: Ines <ines@people.example>" });
    const { body } = await world.get(`/projects/${id}/repository/commits/main`);
    const time = new Date(Math.floor(world.clock.now() / 1000) * 1000).toISOString();
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      short_id: body.id.slice(0, 8),
      created_at: time,
      parent_ids: [],
      title: "Add a",
      message: "Add a\n\nSigned-off-by: Ines <ines@people.example>",
      author_name: "Dora Lindt",
      author_email: dev.email,
      authored_date: time,
      committer_name: "Dora Lindt",
      committer_email: dev.email,
      committed_date: time,
      trailers: { "Signed-off-by": "Ines <ines@people.example>" },
      extended_trailers: { "Signed-off-by": ["Ines <ines@people.example>"] },
      web_url: expect.stringMatching(new RegExp(`/-/commit/${body.id}$`)),
      stats: { additions: 1, deletions: 0, total: 1 },
      status: null,
      project_id: id,
      last_pipeline: null,
    });
  });

  test("takes an author", async () => {
    const { id, create } = await project();
    await create("a.txt", { author_name: "Ines <x>\nEvil", author_email: "ines@people.example" });
    const { body } = await world.get(`/projects/${id}/repository/commits/main`);
    expect(body).toMatchObject({
      author_name: "Ines xEvil",
      author_email: "ines@people.example",
      committer_name: "Dora Lindt",
    });
    await checkRepository(world, id);
  });

  test("takes content as base64, with line breaks", async () => {
    const { create, raw } = await project();
    const bytes = Buffer.from([0, 255, 10, 13, 200, 1, 2]);
    const wrapped = bytes.toString("base64").replace(/.{4}/g, "$&\n");
    expect((await create("x.bin", { content: wrapped, encoding: "base64" })).status).toBe(201);
    expect((await raw("x.bin")).headers.get("content-type")).toBe("application/octet-stream");
    expect((await create("y.bin", { content: "é!", encoding: "base64" })).body).toEqual({
      error: "content is invalid",
    });
  });

  test("is refused when the path is taken or blocked", async () => {
    const { create } = await project();
    await create("dir/a.txt");
    const refused = async (path: string) => {
      const { status, body } = await create(path);
      return [status, body.message];
    };
    expect(await refused("dir/a.txt")).toEqual([400, "A file with this name already exists"]);
    expect(await refused("dir/a.txt/b")).toEqual([400, "A file with this name already exists"]);
    expect(await refused("dir/a.txt/b/c")).toEqual([400, "A file with this name already exists"]);
    expect(await refused("dir")).toEqual([400, "A directory with this name already exists"]);
  });

  test("on a missing branch requires a start_branch", async () => {
    const { id, create, get } = await project();
    await create("a.txt", { content: "one" });
    expect((await create("b.txt", { branch: "side" })).body).toEqual({
      message: "You can only create or edit files when you are on a branch",
    });
    expect((await create("b.txt", { branch: "side", start_branch: "nowhere" })).status).toBe(400);
    expect((await create("b.txt", { branch: "side/x", start_branch: "main" })).status).toBe(201);
    expect((await get("a.txt", "side/x")).body.content).toBe(btoa("one"));
    expect((await get("b.txt", "main")).status).toBe(404);
    expect((await create("c.txt", { branch: "side/x", start_branch: "main" })).body.message).toContain(
      "already exists",
    );
    expect((await create("c.txt", { branch: "side", start_branch: "main" })).status).toBe(400);
    await checkRepository(world, id);
  });

  test.each([
    "",
    "a//b",
    "/a",
    "a/",
    "../a",
    "a/./b",
    ".git/config",
    "x/.GIT/y",
    "git~1",
    ".git /x",
    "a\\..\\b".repeat(800),
  ])("refuses the path %p", async (path) => {
    const { create, get, raw, change, remove } = await project();
    for (const act of [create, change, remove, get, raw]) {
      const { status, body } = await act(path);
      expect(path === "" ? [400, 404, 405] : [400]).toContain(status);
      if (path !== "") expect(body.error).toBe("file_path should be a valid file path");
    }
  });

  test.each([
    ...["a b", "a..b", "-a", "a.lock", "a~1", "refs/heads/", "@", "a//b", "x".repeat(201)],
    ...["refs/heads/main", "refs/tags/v1", "refs/remotes/origin/main"],
  ])("refuses the branch %p", async (branch) => {
    const { create } = await project();
    expect((await create("a.txt", { branch })).body).toEqual({ message: "Branch name is invalid" });
  });

  test("refuses a branch that is called like a commit", async () => {
    const { create } = await project();
    expect((await create("a.txt", { branch: "f".repeat(40) })).body).toEqual({
      message: "You cannot create a branch with a 40-character hexadecimal branch name.",
    });
  });

  test("requires branch, commit_message and content", async () => {
    const { id } = await project();
    const path = `/projects/${id}/repository/files/a.txt`;
    const { status, body } = await world.call("POST", path, { token: dev.token, json: {} });
    expect([status, body.error]).toEqual([
      400,
      "branch is missing, branch is empty, commit_message is missing, commit_message is empty, content is missing",
    ]);
    const blank = { branch: " ", commit_message: "", content: "", encoding: "gzip" };
    const { body: second } = await world.call("POST", path, { token: dev.token, json: blank });
    expect(second.error).toBe("branch is empty, commit_message is empty, encoding does not have a valid value");
  });
});

describe("changing a file", () => {
  test("makes a commit on top", async () => {
    const { id, create, change, get } = await project();
    await create("a.txt", { content: "one" });
    const answer = await change("a.txt", { content: "two" });
    expect([answer.status, answer.body]).toEqual([200, { file_path: "a.txt", branch: "main" }]);
    expect((await get("a.txt")).body.content).toBe(btoa("two"));
    const { body } = await world.get(`/projects/${id}/repository/commits`);
    expect(body).toHaveLength(2);
    expect(body[0].parent_ids).toEqual([body[1].id]);
    await checkRepository(world, id);
  });

  test("is refused when it does not exist", async () => {
    const { create, change } = await project();
    const refused = { message: "A file with this name doesn't exist" };
    expect((await change("a.txt")).body).toEqual(refused);
    await create("dir/a.txt");
    expect((await change("dir")).body).toEqual(refused);
    expect((await change("b.txt")).body).toEqual(refused);
  });

  test("requires that last_commit_id is the last commit that changed it", async () => {
    const { create, change, get, remove } = await project();
    await create("a.txt");
    await create("b.txt");
    const { last_commit_id, commit_id } = (await get("a.txt")).body;
    expect(last_commit_id).not.toBe(commit_id);
    expect((await change("a.txt", { content: "2", last_commit_id: commit_id })).body).toEqual({
      message: "You are attempting to update a file that has changed since you started editing it.",
    });
    expect((await change("a.txt", { content: "2", last_commit_id })).status).toBe(200);
    expect((await remove("a.txt", { last_commit_id })).body).toEqual({
      message: "You are attempting to delete a file that has been previously updated.",
    });
  });

  test("may make it executable, and it stays so", async () => {
    const { id, create, change, get } = await project();
    await create("run.sh", { execute_filemode: true });
    expect((await get("run.sh")).body.execute_filemode).toBe(true);
    await change("run.sh", { content: "again" });
    expect((await get("run.sh")).body.execute_filemode).toBe(true);
    await change("run.sh", { content: "again", execute_filemode: false });
    expect((await get("run.sh")).body.execute_filemode).toBe(false);
    expect((await world.get(`/projects/${id}/repository/commits`, { query: { path: "run.sh" } })).body).toHaveLength(3);
  });
});

describe("deleting a file", () => {
  test("removes its empty folder, too", async () => {
    const { id, create, remove, get } = await project();
    await create("deep/er/a.txt");
    await create("b.txt");
    const answer = await remove("deep/er/a.txt");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await get("deep/er/a.txt")).body).toEqual({ message: "404 File Not Found" });
    const { body } = await world.get(`/projects/${id}/repository/tree`);
    expect(body).toMatchObject([{ name: "b.txt" }]);
    expect((await remove("deep/er/a.txt")).body).toEqual({ message: "A file with this name doesn't exist" });
  });

  test("that is the last one leaves a commit without files", async () => {
    const { id, create, remove } = await project();
    await create("a.txt");
    expect((await remove("a.txt")).status).toBe(204);
    expect((await world.get(`/projects/${id}/repository/tree`)).body).toEqual([]);
    expect((await create("a.txt")).status).toBe(201);
    await checkRepository(world, id);
  });
});

describe("reading a file", () => {
  test("shows every field of the page", async () => {
    const { id, create, get } = await project();
    await create("dir/ä b.txt", { content: "Grüße\n" });
    const { body } = await get("dir/ä b.txt", "main");
    const head = (await world.get(`/projects/${id}/repository/commits/main`)).body.id;
    expect(body).toEqual({
      file_name: "ä b.txt",
      file_path: "dir/ä b.txt",
      size: 8,
      encoding: "base64",
      content: Buffer.from("Grüße\n").toString("base64"),
      content_sha256: new Bun.CryptoHasher("sha256").update("Grüße\n").digest("hex"),
      ref: "main",
      blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      commit_id: head,
      last_commit_id: head,
      execute_filemode: false,
    });
  });

  test("takes a branch, tag, whole or short commit id, full ref, HEAD, or the default branch", async () => {
    const { id, create, get } = await project();
    await create("a.txt", { content: "one" });
    await world.call("POST", `/projects/${id}/repository/tags`, {
      token: rootToken,
      json: { tag_name: "v1", ref: "main", message: "first" },
    });
    const sha = (await get("a.txt")).body.commit_id;
    for (const ref of ["main", "v1", sha, sha.slice(0, 8), "refs/heads/main", "refs/tags/v1", "HEAD", undefined]) {
      expect({ ref, sha: (await get("a.txt", ref)).body.commit_id }).toEqual({ ref, sha });
    }
  });

  test("is 404 for an unknown revision or file", async () => {
    const { create, get, raw } = await project();
    expect((await get("a.txt")).body).toEqual({ message: "404 Commit Not Found" });
    await create("dir/a.txt");
    expect((await get("a.txt")).body).toEqual({ message: "404 File Not Found" });
    expect((await get("dir")).body).toEqual({ message: "404 File Not Found" });
    expect((await raw("a.txt")).body).toEqual({ message: "404 File Not Found" });
    for (const ref of ["nowhere", "f".repeat(40), "0".repeat(40), "../../config", "refs/heads/../../HEAD"]) {
      expect((await get("dir/a.txt", ref)).body).toEqual({ message: "404 Commit Not Found" });
    }
  });

  test("raw answers the bytes, HEAD their headers", async () => {
    const { id, create, raw } = await project();
    await create("page.html", { content: "<script>alert(1)</script>" });
    const answer = await raw("page.html");
    expect([answer.status, answer.text]).toEqual([200, "<script>alert(1)</script>"]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe(
      "inline; filename=\"page.html\"; filename*=UTF-8''page.html",
    );
    const { token } = await world.token(dev.id, { scopes: ["read_repository"] });
    const path = `/projects/${id}/repository/files/page.html`;
    for (const end of ["?ref=main", "/raw"])
      expect((await world.call("GET", `${path}${end}`, { token })).status).toBe(200);
    const json = { branch: "main", commit_message: "x", content: "x" };
    expect((await world.call("PUT", path, { token, json })).status).toBe(403);
    const head = await world.call("HEAD", `/projects/${id}/repository/files/page.html/raw`, { token: dev.token });
    expect([head.status, head.text, head.headers.get("x-gitlab-size")]).toEqual([200, "", "25"]);
    const query = { ref: "main" };
    const missing = await world.call("HEAD", `/projects/${id}/repository/files/none.html`, { token: dev.token, query });
    expect(missing.status).toBe(404);
  });

  test("needs a ref, and raw takes one that is not blank", async () => {
    const { id, create } = await project();
    await create("a.txt");
    const path = `/projects/${id}/repository/files/a.txt`;
    const ask = async (method: string, end: string) => {
      const { status, body } = await world.call(method, `${path}${end}`, { token: dev.token });
      return [status, method === "HEAD" ? undefined : body?.error];
    };
    expect(await ask("GET", "")).toEqual([400, "ref is missing, ref is empty"]);
    expect(await ask("HEAD", "")).toEqual([400, undefined]);
    for (const end of ["?ref=", "/raw?ref="]) expect(await ask("GET", end)).toEqual([400, "ref is empty"]);
    expect((await ask("GET", "/raw"))[0]).toBe(200);
    expect((await ask("GET", "?ref=HEAD"))[0]).toBe(200);
  });

  test("with GET and HEAD, also raw, has headers that describe it", async () => {
    const { id, create, get } = await project();
    await create("dir/ä b.sh", { content: "run", execute_filemode: true });
    const { body } = await get("dir/ä b.sh", "main");
    const expected = {
      "x-gitlab-blob-id": body.blob_id,
      "x-gitlab-commit-id": body.commit_id,
      "x-gitlab-content-sha256": body.content_sha256,
      "x-gitlab-encoding": "base64",
      "x-gitlab-execute-filemode": "true",
      "x-gitlab-file-name": "%C3%A4 b.sh",
      "x-gitlab-file-path": "dir/%C3%A4 b.sh",
      "x-gitlab-last-commit-id": body.last_commit_id,
      "x-gitlab-ref": "main",
      "x-gitlab-size": "3",
    };
    const path = `/projects/${id}/repository/files/${encodeURIComponent("dir/ä b.sh")}`;
    for (const [method, end] of [
      ["GET", ""],
      ["HEAD", ""],
      ["GET", "/raw"],
      ["HEAD", "/raw"],
    ] as const) {
      const { status, headers } = await world.call(method, `${path}${end}?ref=main`, { token: dev.token });
      const told = Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-gitlab-")));
      expect([method, end, status, told]).toEqual([method, end, 200, expected]);
      const again = { token: dev.token, headers: { "If-None-Match": headers.get("etag") ?? "" } };
      expect((await world.call(method, `${path}${end}?ref=main`, again)).status).toBe(304);
    }
  });

  test("of a megabyte returns it unchanged", async () => {
    const { id, create, get } = await project();
    const content = Buffer.alloc(1 << 20, "0123456789abcdef\n").toString();
    await create("big.txt", { content });
    expect(atob((await get("big.txt")).body.content)).toBe(content);
    await checkRepository(world, id);
  });
});

describe("reading a file of more than a megabyte, which is sent in pieces", () => {
  // Base64 has four characters for three bytes, and the pieces end anywhere.
  test.each([0, 1, 2])("returns it unchanged, and raw, with %d bytes more", async (more) => {
    const { id, create, get, raw } = await project();
    const bytes = Buffer.alloc((3 << 19) + more, "0123456789abcdef\n");
    await create("big.txt", { content: bytes.toString() });
    const { body } = await get("big.txt");
    expect(Buffer.from(body.content, "base64").equals(bytes)).toBe(true);
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    expect(body).toMatchObject({ file_name: "big.txt", size: bytes.length, content_sha256: sha256, ref: "main" });
    const answer = await raw("big.txt");
    expect([answer.text === bytes.toString(), answer.headers.get("content-type")]).toEqual([
      true,
      "text/plain; charset=utf-8",
    ]);
    const path = `/projects/${id}/repository/files/big.txt`;
    for (const end of ["?ref=main", "/raw"]) {
      const { status, text, headers } = await world.call("HEAD", `${path}${end}`, { token: dev.token });
      expect([status, text, headers.get("x-gitlab-size")]).toEqual([200, "", String(bytes.length)]);
    }
    const again = { token: dev.token, headers: { "If-None-Match": answer.headers.get("etag") ?? "" } };
    expect((await world.call("GET", `${path}/raw`, again)).status).toBe(304);
    await checkRepository(world, id);
  });

  test("leaves no file open after HEAD, 304 and a client that goes away", async () => {
    const { id, create, raw } = await project();
    // Random, since a file that is small on the disk is read to its end, and closed, at once.
    const content = randomBytes(3 << 20).toString("base64");
    await create("big.txt", { content, encoding: "base64" });
    const path = `/projects/${id}/repository/files/big.txt`;
    const tag = (await raw("big.txt")).headers.get("etag") ?? "";
    const openFiles = async () => (await readdir("/proc/self/fd")).length;
    const before = await openFiles();
    for (let count = 0; count < 10; count += 1) {
      for (const end of ["", "/raw"]) {
        await world.call("HEAD", `${path}${end}`, { token: dev.token });
        const gone = new AbortController();
        const init = { headers: { "PRIVATE-TOKEN": dev.token }, signal: gone.signal };
        await fetch(`${world.origin}/api/v4${path}${end}`, init);
        gone.abort();
      }
      await world.call("GET", `${path}/raw`, { token: dev.token, headers: { "If-None-Match": tag } });
    }
    await until("the files are closed", async () => (await openFiles()) <= before + 5);
  });

  test("tells that it is binary", async () => {
    const { create, raw } = await project();
    const content = Buffer.alloc(3 << 19).toString("base64");
    await create("zeros.bin", { content, encoding: "base64" });
    expect((await raw("zeros.bin")).headers.get("content-type")).toBe("application/octet-stream");
  });
});

describe("access to files", () => {
  test("of a private project is denied to guests, for reporters to read, for developers to write", async () => {
    const { id, create, get } = await project();
    await create("a.txt");
    for (const [role, read, write] of [
      ["guest", 403, 403],
      ["reporter", 200, 403],
      ["developer", 200, 201],
      ["maintainer", 200, 201],
    ] as const) {
      const person = await world.user();
      addMember(world, { id }, person, role, "project");
      const theirs = filesOf(world, id, person.token);
      expect([role, (await theirs.get("a.txt")).status]).toEqual([role, read]);
      expect([role, (await theirs.create(`${role}.txt`)).status]).toEqual([role, write]);
    }
    expect((await filesOf(world, id, undefined).get("a.txt")).body).toEqual({ message: "404 Project Not Found" });
    expect((await get("a.txt")).status).toBe(200);
  });

  test("is only for members or denied where the feature says so", async () => {
    const { id, create } = await project({ visibility: "public" });
    await create("a.txt");
    const stranger = await world.user();
    const read = async () => [
      (await filesOf(world, id, undefined).get("a.txt")).status,
      (await filesOf(world, id, stranger.token).get("a.txt")).status,
      (await filesOf(world, id, dev.token).get("a.txt")).status,
    ];
    expect(await read()).toEqual([200, 200, 200]);
    const set = (level: string) =>
      world.call("PUT", `/projects/${id}`, { token: rootToken, json: { repository_access_level: level } });
    await set("private");
    expect(await read()).toEqual([403, 403, 200]);
    await set("disabled");
    expect(await read()).toEqual([403, 403, 403]);
    expect((await create("b.txt")).status).toBe(403);
  });

  test("is read-only in an archived project", async () => {
    const { id, create } = await project();
    await create("a.txt");
    await world.call("POST", `/projects/${id}/archive`, { token: rootToken });
    expect((await create("b.txt")).status).toBe(403);
  });
});

test("concurrent writers of one repository wait for each other, and no commit is lost", async () => {
  const { id, create } = await project();
  const names = Array.from({ length: 12 }, (_, at) => `f${at}.txt`);
  const answers = await Promise.all(names.map((name) => create(name)));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  const { body } = await world.get(`/projects/${id}/repository/tree`);
  expect(body.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
  expect((await world.get(`/projects/${id}/repository/commits`)).body).toHaveLength(12);
  await checkRepository(world, id);
});

test("a commit updates last_activity_at and the statistics", async () => {
  const { id, create, show } = await project();
  const before = (await show()).body.last_activity_at;
  world.clock.advance(60_000);
  await create("a.txt");
  expect((await show()).body.last_activity_at > before).toBe(true);
  const { statistics } = (await world.get(`/projects/${id}`, { query: { statistics: true } })).body;
  expect(statistics).toMatchObject({ commit_count: 1, repository_size: statistics.storage_size });
  expect(statistics.repository_size).toBeGreaterThan(100);
});
