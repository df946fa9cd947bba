import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { spamLogs } from "../../../../src/modules/core/spam/records.ts";
import { snippets } from "../../../../src/modules/repositories/snippets/records.ts";
import { storageMoves } from "../../../../src/modules/repositories/storage-moves/records.ts";
import { putGroup, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { git } from "../../ci/triggers-and-pipelines/setting.ts";
import { putSnippet } from "./setting.ts";

const world = await startWorld({ spamKeywords: ["casino"] });
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const outsider = await world.user({ username: "outsider", external: true });

const post = (json: object, token: string | undefined = ann.token, path = "/snippets") =>
  world.call("POST", path, { token, json });
const put = (id: number, json: object, token = ann.token) => world.call("PUT", `/snippets/${id}`, { token, json });
const get = (id: number, token: string | undefined) => world.call("GET", `/snippets/${id}`, { token });
const one = { title: "T", file_name: "a.txt", content: "some text" };
const made = async (json: object = {}, token = ann.token): Promise<Json> =>
  (await post({ ...one, ...json }, token)).body;
const folderOf = (id: number) => world.context.repositories.folderOf({ kind: "snippet", id, storage: "default" });
const notFound = { message: "404 Snippet Not Found" };

async function project(visibility: "private" | "internal" | "public" = "private") {
  const place = putProject(world, putGroup(world, { visibility: "public" }).id, { visibility });
  const member = async (access_level: number) => {
    const person = await world.user();
    const json = { user_id: person.id, access_level };
    await world.call("POST", `/projects/${place.id}/members`, { token: rootToken, json });
    return person;
  };
  return { ...place, member, path: `/projects/${place.id}/snippets` };
}

describe("the lists of personal snippets", () => {
  const list = async (path: string, token: string | undefined, query = "") => {
    const { status, body } = await world.call("GET", path, { token, query });
    return status === 200 ? body.map(({ title }: Json) => title) : status;
  };

  test("have the own ones, or the public ones of all users, newest first", async () => {
    const [eve, joe] = [await world.user(), await world.user()];
    await made({ title: "private", visibility: "private" }, eve.token);
    await made({ title: "internal", visibility: "internal" }, eve.token);
    await made({ title: "public", visibility: "public" }, eve.token);
    await made({ title: "joe's", visibility: "public" }, joe.token);
    const { path } = await project("public");
    await post({ ...one, title: "of a project", visibility: "public" }, rootToken, path);
    expect(await list("/snippets", eve.token)).toEqual(["public", "internal", "private"]);
    expect((await list("/snippets/public", bob.token)).slice(0, 2)).toEqual(["joe's", "public"]);
    expect(await list("/snippets/public", bob.token)).not.toContain("internal");
    expect(await list("/snippets", undefined)).toBe(401);
    expect(await list("/snippets/public", undefined)).toBe(401);
  });

  test("have all that a user sees, those of projects too", async () => {
    const eve = await world.user();
    const auditor = await world.user({ auditor: true });
    const { path, member, id } = await project("private");
    const guest = await member(10);
    await made({ title: "all: private", visibility: "private" }, eve.token);
    await made({ title: "all: internal", visibility: "internal" }, eve.token);
    await made({ title: "all: public", visibility: "public" }, eve.token);
    await post({ ...one, title: "all: of a project", visibility: "private" }, rootToken, path);
    const seen = async (token: string) =>
      (await list("/snippets/all", token, "per_page=100")).filter((title: string) => title.startsWith("all: "));
    const every = ["all: of a project", "all: public", "all: internal", "all: private"];
    expect(await seen(rootToken)).toEqual(every);
    expect(await seen(auditor.token)).toEqual(every);
    expect(await seen(eve.token)).toEqual(every.slice(1));
    expect(await seen(bob.token)).toEqual(every.slice(1, 3));
    expect(await seen(outsider.token)).toEqual(every.slice(1, 2));
    expect(await seen(guest.token)).toEqual(every.slice(0, 3));
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { snippets_access_level: "disabled" } });
    expect(await seen(guest.token)).toEqual(every.slice(1, 3));
    expect(await list("/snippets/all", undefined)).toBe(401);
    expect(await list("/snippets/all", rootToken, "repository_storage=nowhere")).toEqual([]);
    expect(await list("/snippets/all", bob.token, "repository_storage=nowhere")).not.toEqual([]);
  });

  test.each(["/snippets", "/snippets/public"])("%s takes times of creation", async (path) => {
    const eve = await world.user();
    const put = (title: string, created_at: string) =>
      putSnippet(world, { author_id: eve.id, title, visibility: "public", created_at });
    put(`20 ${path}`, "2021-08-20T00:00:00.000Z");
    put(`22 ${path}`, "2021-08-22T00:00:00.000Z");
    put(`24 ${path}`, "2021-08-24T00:00:00.000Z");
    const query = "created_after=2021-08-21T00:00:00Z&created_before=2021-08-23T00:00:00Z";
    const own = (titles: string[]) => titles.filter((title) => title.endsWith(path));
    expect(own(await list(path, eve.token, query))).toEqual([`22 ${path}`]);
    expect(own(await list(path, eve.token, "created_after=2021-08-22T00:00:00Z"))).toEqual([
      `24 ${path}`,
      `22 ${path}`,
    ]);
    expect(await list(path, eve.token, "created_after=soon")).toBe(400);
  });
});

describe("a creation", () => {
  test("answers the whole snippet, and stores the files in a repository that git accepts", async () => {
    const files = [
      { file_path: "b.rb", content: "puts 1" },
      { file_path: "dir/a.txt", content: "text\n" },
    ];
    const { status, body } = await post({ title: "Two files", description: "D", visibility: "public", files });
    const { id } = body;
    expect(status).toBe(201);
    expect(body).toEqual({
      id,
      title: "Two files",
      description: "D",
      visibility: "public",
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
      project_id: null,
      web_url: `${world.origin}/-/snippets/${id}`,
      raw_url: `${world.origin}/-/snippets/${id}/raw`,
      ssh_url_to_repo: `git@127.0.0.1:snippets/${id}.git`,
      http_url_to_repo: `${world.origin}/snippets/${id}.git`,
      author: expect.objectContaining({ id: ann.id, username: "ann" }),
      file_name: "b.rb",
      files: [
        { path: "b.rb", raw_url: `${world.origin}/-/snippets/${id}/raw/main/b.rb` },
        { path: "dir/a.txt", raw_url: `${world.origin}/-/snippets/${id}/raw/main/dir/a.txt` },
      ],
    });
    await git(["-C", folderOf(id), "fsck", "--full", "--strict"]);
    expect(await git(["-C", folderOf(id), "show", "main:dir/a.txt"])).toBe("text\n");
    expect((await world.call("GET", `/snippets/${id}/raw`)).text).toBe("puts 1");
  });

  test("takes the older pair, and is internal by default; in a project private", async () => {
    const { visibility, file_name, description } = await made();
    expect([visibility, file_name, description]).toEqual(["internal", "a.txt", null]);
    const { member, path, id } = await project();
    const reporter = await member(20);
    const { status, body } = await post(one, reporter.token, path);
    expect([status, body.visibility, body.project_id]).toEqual([201, "private", id]);
    expect(body.web_url).toMatch(new RegExp(`/-/snippets/${body.id}$`));
  });

  test.each([
    [{}, "title is missing"],
    [{ title: "T" }, "files, content are missing, exactly one parameter must be provided"],
    [{ title: "T", content: "x" }, "file_name, content provide all or none of parameters"],
    [{ title: " ", file_name: "a", content: "x" }, "title is empty"],
    [{ title: "T", file_name: "a", content: "" }, "content is empty"],
  ])("%j is refused", async (json, error) => {
    const answer = await post(json);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  });

  test("refuses paths that git would not take, duplicates, files in place of folders, and long titles", async () => {
    const files = (...paths: string[]) => ({
      title: "T",
      files: paths.map((file_path) => ({ file_path, content: "x" })),
    });
    const before = world.store.of(snippets).size;
    for (const json of [files("../a"), files(".git/config"), files("a", "a"), files("a", "a/b"), files()]) {
      expect((await post(json)).status).toBe(400);
    }
    const many = files(...Array.from({ length: 11 }, (_, at) => `f${at}`));
    expect((await post(many)).body.message).toBe("The repository can contain at most 10 file(s).");
    expect((await post({ ...one, title: "t".repeat(256) })).body.message).toEqual({
      title: ["is too long (maximum is 255 characters)"],
    });
    expect(world.store.of(snippets).size).toBe(before);
  });

  test("is for all signed-in users but external ones; in a project from reporters on, where it has snippets", async () => {
    expect((await world.call("POST", "/snippets", { json: one })).status).toBe(401);
    expect((await post(one, outsider.token)).status).toBe(403);
    const { member, path, id } = await project("public");
    expect((await post(one, (await member(10)).token, path)).status).toBe(403);
    expect((await post(one, ann.token, path)).status).toBe(403);
    const maintainer = await member(40);
    const json = { snippets_access_level: "disabled" };
    await world.call("PUT", `/projects/${id}`, { token: maintainer.token, json });
    expect((await post(one, maintainer.token, path)).status).toBe(403);
    const { token } = maintainer;
    for (const [method, at, json] of [
      ["GET", path],
      ["GET", `${path}/99999`],
      ["GET", `${path}/99999/raw`],
      ["PUT", `${path}/99999`, { title: "x" }],
      ["DELETE", `${path}/99999`],
    ] as const) {
      expect([method, at, (await world.call(method, at, { token, json })).status]).toEqual([method, at, 403]);
    }
  });
});

test("a visibility that is restricted is given by administrators alone", async () => {
  const restrict = (levels: string[]) =>
    world.call("PUT", "/application/settings", {
      token: rootToken,
      json: { restricted_visibility_levels: levels },
    });
  const { id } = await made({ visibility: "private" });
  await restrict(["public"]);
  const refusal = { message: { error: "Visibility level public has been restricted by your GitLab administrator" } };
  for (const answer of [
    await post({ ...one, visibility: "public" }),
    await world.call("PUT", `/snippets/${id}`, { token: ann.token, json: { visibility: "public" } }),
  ]) {
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body: refusal });
  }
  expect((await post({ ...one, visibility: "public" }, rootToken)).status).toBe(201);
  expect((await post({ ...one, visibility: "internal" })).status).toBe(201);
  await restrict([]);
});

test.each([
  { action: "move", file_path: "new.txt" },
  { action: "move", file_path: "a.txt", previous_path: "a.txt" },
  { action: "move", previous_path: "a.txt" },
  { action: "update", file_path: "a.txt" },
  { action: "update", file_path: "a.txt", content: "" },
  { action: "update", file_path: "a.txt", content: "x", previous_path: "b.txt" },
  { action: "create", file_path: "b.txt" },
  { action: "delete" },
])("a change that lacks what its action needs is 422: %j", async (change) => {
  const { id } = await made({});
  const { status, body } = await world.call("PUT", `/snippets/${id}`, { token: ann.token, json: { files: [change] } });
  expect({ status, body }).toEqual({
    status: 422,
    body: { message: { error: "Snippet actions have invalid data" } },
  });
});

describe("a read", () => {
  test.each([
    ["private", [200, 404, 404, 404]],
    ["internal", [200, 200, 404, 404]],
    ["public", [200, 200, 200, 200]],
  ])(
    "of a %s personal snippet has this result for author, others, external users, and anonymous callers",
    async (visibility, seen) => {
      const { id } = await made({ visibility });
      const answers = await Promise.all(
        [ann.token, bob.token, outsider.token, undefined].map((token) => get(id, token)),
      );
      expect(answers.map(({ status }) => status)).toEqual(seen);
      for (const { status, body } of answers) if (status === 404) expect(body).toEqual(notFound);
      expect((await get(id, rootToken)).status).toBe(200);
    },
  );

  test("in a project is open to members, and to others by its visibility and theirs", async () => {
    const { member, path } = await project("public");
    const [guest, reporter] = [await member(10), await member(20)];
    for (const visibility of ["private", "internal", "public"])
      await post({ ...one, visibility }, reporter.token, path);
    const count = async (token: string | undefined) => (await world.call("GET", path, { token })).body.length;
    expect(await Promise.all([guest.token, bob.token, outsider.token, undefined].map(count))).toEqual([3, 2, 1, 1]);
    const hidden = await project("private");
    const { body } = await post({ ...one, visibility: "public" }, (await hidden.member(30)).token, hidden.path);
    expect((await get(body.id, bob.token)).body).toEqual(notFound);
    expect((await world.call("GET", `${path}/${body.id}`, { token: rootToken })).body).toEqual({
      message: "404 Not found",
    });
  });

  test("of GET /snippets lists the caller's personal ones, newest first", async () => {
    const carl = await world.user();
    const [first, second] = [await made({}, carl.token), await made({}, carl.token)];
    const { body } = await world.call("GET", "/snippets", { token: carl.token });
    expect(body.map(({ id }: Json) => id)).toEqual([second.id, first.id]);
    expect((await world.call("GET", "/snippets")).status).toBe(401);
  });
});

describe("a change", () => {
  test("sets attributes, and contents by either form", async () => {
    const { id } = await made();
    world.clock.advance(1000);
    const renamed = await put(id, { title: "New", description: "D", visibility: "private" });
    expect(renamed.body).toMatchObject({ title: "New", description: "D", updated_at: world.clock.time() });
    expect((await put(id, { content: "changed" })).status).toBe(200);
    expect((await put(id, { file_name: "b.txt" })).body.file_name).toBe("b.txt");
    const raw = await world.call("GET", `/snippets/${id}/raw`, { token: ann.token });
    expect(raw.text).toBe("changed");
    const files = [
      { action: "create", file_path: "c.txt", content: "c" },
      { action: "update", file_path: "b.txt", content: "b" },
      { action: "move", previous_path: "b.txt", file_path: "d.txt" },
    ];
    expect((await put(id, { files })).body.files.map(({ path }: Json) => path)).toEqual(["d.txt", "c.txt"]);
    expect((await put(id, { content: "which" })).status).toBe(400);
    await put(id, { files: [{ action: "delete", file_path: "d.txt" }] });
    expect(await git(["-C", folderOf(id), "ls-tree", "--name-only", "main"])).toBe("c.txt\n");
    await git(["-C", folderOf(id), "fsck", "--full", "--strict"]);
  });

  test("that does not fit the files is refused, and changes nothing", async () => {
    const { id } = await made();
    const refusals = [
      [{ action: "create", file_path: "a.txt", content: "x" }],
      [{ action: "update", file_path: "none", content: "x" }],
      [{ action: "delete", file_path: "none" }],
      [{ action: "delete", file_path: "a.txt" }],
      [{ action: "move", previous_path: "none", file_path: "b" }],
      [{ action: "paint", file_path: "a.txt" }],
    ];
    for (const files of refusals) expect((await put(id, { title: "Never", files })).status).toBe(400);
    expect((await put(id, {})).status).toBe(400);
    expect((await get(id, ann.token)).body.title).toBe("T");
  });

  test("is for the author and administrators, in a project for maintainers too", async () => {
    const { id } = await made();
    expect((await put(id, { title: "N" }, bob.token)).status).toBe(404);
    expect((await put(id, { title: "N" }, rootToken)).status).toBe(200);
    expect((await world.call("DELETE", `/snippets/${id}`, { token: bob.token })).status).toBe(404);
    const { member, path } = await project();
    const [reporter, developer, maintainer] = [await member(20), await member(30), await member(40)];
    const { body } = await post(one, reporter.token, path);
    const change = (token: string) => world.call("PUT", `${path}/${body.id}`, { token, json: { title: "N" } });
    const statuses = [await change(reporter.token), await change(developer.token), await change(maintainer.token)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 200]);
    const remove = () => world.call("DELETE", `${path}/${body.id}`, { token: maintainer.token });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
  });
});

test("while a snippet is moved, its files stay unchanged and it cannot be deleted; its title may change", async () => {
  const { id } = await made();
  const now = world.clock.time();
  const common = { container_id: id, source_storage_name: "default", destination_storage_name: "default" };
  const times = { error_message: null, created_at: now, updated_at: now };
  const move = world.store.transact((tx) =>
    tx.insert(storageMoves.snippet, { id: 1, state: "scheduled" as const, ...common, ...times }),
  );
  const readOnly = { message: "The repository is temporarily read-only. Please try again later." };
  expect((await put(id, { content: "changed" })).body).toEqual(readOnly);
  expect((await world.call("DELETE", `/snippets/${id}`, { token: ann.token })).body).toEqual(readOnly);
  expect((await put(id, { title: "Changed" })).status).toBe(200);
  world.store.transact((tx) => tx.update(storageMoves.snippet, { ...move, state: "finished" }));
  expect((await put(id, { content: "changed" })).status).toBe(200);
});

test("a deleted snippet leaves no files", async () => {
  const { id } = await made();
  const folder = folderOf(id);
  expect(existsSync(folder)).toBe(true);
  await world.call("DELETE", `/snippets/${id}`, { token: ann.token });
  await world.jobsDone();
  expect([existsSync(folder), (await get(id, ann.token)).status]).toEqual([false, 404]);
});

describe("the spam check", () => {
  const discarded = "Your snippet has been recognized as spam and has been discarded.";
  const spam = { ...one, content: "Our CASINO is open" };

  test("stops public snippets only, by title, description or contents", async () => {
    const before = world.store.of(spamLogs).size;
    for (const json of [spam, { ...one, title: "casino" }, { ...one, description: "casino" }]) {
      const { status, body } = await post({ ...json, visibility: "public" });
      expect([status, body]).toEqual([400, { message: { error: discarded } }]);
    }
    expect(world.store.of(spamLogs).size).toBe(before + 3);
    expect((await post({ ...spam, visibility: "internal" })).status).toBe(201);
  });

  test("stops a change that publishes, and changes of public ones; others pass", async () => {
    const { id } = await made({ content: spam.content });
    expect((await put(id, { visibility: "public" })).status).toBe(400);
    expect((await get(id, ann.token)).body.visibility).toBe("internal");
    expect((await put(id, { title: "Mere title" })).status).toBe(200);
    const open = await made({ visibility: "public" });
    expect((await put(open.id, { content: spam.content })).status).toBe(400);
    expect((await world.call("GET", `/snippets/${open.id}/raw`)).text).toBe("some text");
    expect((await put(open.id, { content: "harmless" })).status).toBe(200);
  });
});

describe("the deletion", () => {
  test("of a user, soft, gives snippets to the ghost; hard, it deletes them", async () => {
    const [soft, hard] = [await world.user(), await world.user()];
    const [kept, gone] = [await made({}, soft.token), await made({}, hard.token)];
    await world.call("DELETE", `/users/${soft.id}`, { token: rootToken });
    await world.call("DELETE", `/users/${hard.id}`, { token: rootToken, query: { hard_delete: true } });
    await world.jobsDone();
    expect((await get(kept.id, rootToken)).body.author.username).toBe("ghost");
    expect((await get(gone.id, rootToken)).status).toBe(404);
    expect([existsSync(folderOf(kept.id)), existsSync(folderOf(gone.id))]).toEqual([true, false]);
  });

  test("of a project deletes its snippets", async () => {
    const { member, path, id } = await project();
    const { body } = await post(one, (await member(50)).token, path);
    await world.call("DELETE", `/projects/${id}`, { token: rootToken });
    await world.jobsDone();
    expect([world.store.of(snippets).get(body.id), existsSync(folderOf(body.id))]).toEqual([undefined, false]);
  });
});

test("a large file is sent raw in pieces, and unchanged", async () => {
  const content = "0123456789abcdef\n".repeat(100_000);
  const { id } = await made({ content });
  const { status, text, headers } = await world.call("GET", `/snippets/${id}/raw`, { token: ann.token });
  expect([status, text === content, headers.get("content-type")]).toEqual([200, true, "text/plain; charset=utf-8"]);
});

test("a change of a private snippet reads no file that it leaves as it is", async () => {
  const files = [
    { file_path: "kept.txt", content: "kept" },
    { file_path: "changed.txt", content: "old" },
  ];
  const { id } = (await post({ title: "T", visibility: "private", files })).body;
  const folder = folderOf(id);
  const inside = (...args: string[]) => git(["--git-dir", folder, ...args]);
  const oid = (await inside("rev-parse", "main:kept.txt")).trim();
  await unlink(`${folder}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`);
  const changes = [{ action: "update", file_path: "changed.txt", content: "new" }];
  expect((await put(id, { title: "U", files: changes })).body).toMatchObject({ title: "U" });
  expect((await inside("ls-tree", "main", "kept.txt")).trim()).toEndWith(`${oid}\tkept.txt`);
  expect(await inside("show", "main:changed.txt")).toBe("new");
});

describe("where a snippet came from", () => {
  const origin = (path: string, token = rootToken) => world.call("GET", `${path}/user_agent_detail`, { token });

  test("is told to administrators alone", async () => {
    const { path } = await project("public");
    const headers = { "User-Agent": "a robot" };
    for (const at of ["/snippets", path]) {
      const { id } = (await world.call("POST", at, { token: rootToken, json: one, headers })).body;
      const { status, body } = await origin(`${at}/${id}`);
      expect([status, body]).toEqual([
        200,
        { user_agent: "a robot", ip_address: expect.stringMatching(/^[\d.:a-f]+$/), akismet_submitted: false },
      ]);
      expect((await origin(`${at}/${id}`, ann.token)).status).toBe(403);
    }
  });

  test("is not found where it is not known", async () => {
    const { status, body } = await origin(`/snippets/${putSnippet(world).id}`);
    expect([status, body]).toEqual([404, { message: "404 UserAgentDetail Not Found" }]);
    expect((await origin("/snippets/987654")).body).toEqual(notFound);
  });
});
