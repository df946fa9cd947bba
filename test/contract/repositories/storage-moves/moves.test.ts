import { describe, expect, spyOn, test } from "bun:test";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groups } from "../../../../src/modules/groups-and-projects/groups/records.ts";
import { snippets } from "../../../../src/modules/repositories/snippets/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { checkRepository, filesOf, folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { putSnippet } from "../snippets/setting.ts";

const delayMs = 1000;
const second = await mkdtemp(join(tmpdir(), "outpost-storage-"));
const world = await startWorld({
  repositoryStorages: [
    { name: "default", folder: undefined },
    { name: "storage2", folder: second },
  ],
  storageMoveDelayMs: delayMs,
});
const owner = await world.user({ username: "owner" });
const readOnly = { message: "The repository is temporarily read-only. Please try again later." };

const post = (path: string, json: object = {}, token: string | undefined = rootToken) =>
  world.call("POST", path, { token, json });
const pass = async () => {
  world.clock.advance(delayMs);
  await world.jobsDone();
};
const schedule = (id: number | string, destination?: string | null) =>
  post(`/projects/${id}/repository_storage_moves`, { destination_storage_name: destination });
const moveOf = async (id: number): Promise<Json> =>
  (await world.get(`/projects/${id}/repository_storage_moves`)).body[0];

async function filled(attributes: object = {}) {
  const project = await makeProject(world, { repository_storage: "default", ...attributes });
  const files = filesOf(world, project.id, rootToken);
  await files.create("a.txt");
  return { ...files, ...project, id: project.id as number };
}

describe("one move", () => {
  test("is scheduled, copies after the delay, and leaves the repository complete on the other storage only", async () => {
    const { id, get, create } = await filled({ name: "Ledger", path: "ledger" });
    const before = (await world.get(`/projects/${id}`)).body;
    const old = folderOf(world, id);
    const { status, body } = await schedule(id, "storage2");
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      created_at: world.clock.time(),
      state: "scheduled",
      source_storage_name: "default",
      destination_storage_name: "storage2",
      project: {
        id,
        description: null,
        name: "Ledger",
        name_with_namespace: before.name_with_namespace,
        path: "ledger",
        path_with_namespace: before.path_with_namespace,
        created_at: before.created_at,
      },
      error_message: null,
    });
    await world.jobsDone();
    expect((await moveOf(id)).state).toBe("scheduled");
    await pass();
    expect((await moveOf(id)).state).toBe("started");
    expect(folderOf(world, id)).toBe(old);
    await pass();
    expect(await moveOf(id)).toEqual({ ...body, state: "finished" });
    expect(folderOf(world, id).startsWith(second)).toBe(true);
    expect(existsSync(old)).toBe(false);
    expect(readdirSync(join(old, "..")).concat(readdirSync(join(folderOf(world, id), "..")))).toHaveLength(1);
    await checkRepository(world, id);
    const after = (await world.get(`/projects/${id}`)).body;
    expect([after.repository_storage, after.updated_at]).toEqual(["storage2", world.clock.time()]);
    expect((await get("a.txt")).status).toBe(200);
    expect((await create("b.txt")).status).toBe(201);
    await checkRepository(world, id);
  });

  test("makes the repository read-only with the page's message, and nothing else of the project", async () => {
    const { id, create, get, remove } = await filled();
    const group = (await post("/groups", { name: "Other", path: "other" })).body;
    await schedule(id, "storage2");
    const at = `/projects/${id}/repository`;
    const refused = async () => {
      for (const answer of [
        await create("b.txt"),
        await remove("a.txt"),
        await post(`${at}/branches`, { branch: "b", ref: "main" }),
        await post(`${at}/tags`, { tag_name: "v1", ref: "main" }),
        await world.call("DELETE", `${at}/branches/main`, { token: rootToken }),
        await world.call("DELETE", `${at}/tags/v1`, { token: rootToken }),
        await world.call("PUT", `/projects/${id}/transfer`, { token: rootToken, json: { namespace: group.id } }),
        await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { path: "renamed" } }),
        await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { name: "Renamed" } }),
        await world.call("DELETE", `/projects/${id}`, { token: rootToken }),
      ]) {
        expect([answer.status, answer.body]).toEqual([400, readOnly]);
      }
    };
    await refused();
    await pass();
    await refused();
    expect((await get("a.txt")).status).toBe(200);
    expect((await post(`/projects/${id}/issues`, { title: "Still writable" })).status).toBe(201);
    const json = { description: "Still writable" };
    expect((await world.call("PUT", `/projects/${id}`, { token: rootToken, json })).status).toBe(200);
    const again = await schedule(id, "default");
    expect([again.status, again.body]).toEqual([400, { message: { project: ["is read-only"] } }]);
    await pass();
    expect((await create("b.txt")).status).toBe(201);
    expect((await schedule(id, "default")).status).toBe(201);
    await pass();
    await pass();
    await checkRepository(world, id);
  });

  test("to the same storage ends finished without copying, and so does one of an empty repository", async () => {
    const { id } = await filled();
    const folder = folderOf(world, id);
    await schedule(id, "default");
    const empty = await makeProject(world, { repository_storage: "default" });
    await schedule(empty.path_with_namespace.replace("/", "%2F"), "storage2");
    await pass();
    await pass();
    expect((await moveOf(id)).state).toBe("finished");
    expect(folderOf(world, id)).toBe(folder);
    await checkRepository(world, id);
    expect((await moveOf(empty.id)).state).toBe("finished");
    expect((await world.get(`/projects/${empty.id}`)).body.repository_storage).toBe("storage2");
    expect((await filesOf(world, empty.id, rootToken).create("a.txt")).status).toBe(201);
  });

  test("without a destination uses the weights", async () => {
    await world.call("PUT", "/application/settings", {
      token: rootToken,
      json: { repository_storages_weighted: { storage2: 100 } },
    });
    for (const destination of [undefined, null, ""]) {
      const { id } = await makeProject(world, { repository_storage: "default" });
      expect((await schedule(id, destination)).body.destination_storage_name).toBe("storage2");
    }
    await world.call("PUT", "/application/settings", {
      token: rootToken,
      json: { repository_storages_weighted: { default: 100 } },
    });
    await pass();
    await pass();
  });

  test("copies packs, packed refs and any other files of git", async () => {
    const { id, get } = await filled();
    await git(["-C", folderOf(world, id), "gc", "-q"]);
    await schedule(id, "storage2");
    await pass();
    await pass();
    expect((await moveOf(id)).state).toBe("finished");
    await checkRepository(world, id);
    expect((await get("a.txt")).status).toBe(200);
  });
});

describe("all of a storage", () => {
  test("are moved, so that the list of the storage is empty", async () => {
    for (let at = 0; at < 3; at += 1) await filled();
    const on = async (storage: string, token = rootToken) =>
      (await world.call("GET", "/projects", { token, query: { repository_storage: storage, per_page: 100 } })).body;
    const before = (await on("default")).map(({ id }: Json) => id);
    expect(before.length).toBeGreaterThan(2);
    const skipped = before[0];
    await schedule(skipped, "default");
    const { status, body } = await post("/project_repository_storage_moves", {
      source_storage_name: "default",
      destination_storage_name: "storage2",
    });
    expect([status, body]).toEqual([202, { message: "202 Accepted" }]);
    const list = (await world.get("/project_repository_storage_moves", { query: { per_page: 100 } })).body;
    const ids = list.map(({ id }: Json) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    expect(list.filter(({ state }: Json) => state === "scheduled").map(({ project }: Json) => project.id)).toEqual(
      expect.arrayContaining(before),
    );
    for (let at = 0; at < 4; at += 1) await pass();
    expect((await on("default")).map(({ id }: Json) => id)).toEqual([skipped]);
    expect(await on("nowhere")).toEqual([]);
    for (const project of await on("storage2")) expect(project.repository_storage).toBe("storage2");
    const seen = await on("nowhere", owner.token);
    expect(Array.isArray(seen)).toBe(true);
    await makeProject(world, { repository_storage: "default", visibility: "internal" });
    expect((await on("nowhere", owner.token)).length).toBeGreaterThan(0);
  });

  test("is 202 for an empty source too; unknown storages are refused", async () => {
    const all = "/group_repository_storage_moves";
    const refusals: [object, object][] = [
      [{}, { error: "source_storage_name is missing" }],
      [{ source_storage_name: "nowhere" }, { error: "source_storage_name does not have a valid value" }],
      [
        { source_storage_name: "default", destination_storage_name: "nowhere" },
        { error: "destination_storage_name does not have a valid value" },
      ],
    ];
    for (const [json, body] of refusals) {
      const answer = await post(all, json);
      expect([answer.status, answer.body]).toMatchObject([400, body]);
    }
    expect((await post(all, { source_storage_name: "storage2", destination_storage_name: "" })).status).toBe(202);
  });
});

describe("groups and snippets", () => {
  test("a group is moved by its id or path", async () => {
    const group = (await post("/groups", { name: "Bank", path: "bank" })).body;
    const { status, body } = await post("/groups/bank/repository_storage_moves", {
      destination_storage_name: "storage2",
    });
    expect([status, body.group]).toEqual([201, { id: group.id, name: "Bank", web_url: group.web_url }]);
    await pass();
    await pass();
    const { body: moves } = await world.get(`/groups/${group.id}/repository_storage_moves`);
    expect(moves[0].state).toBe("finished");
    expect(world.store.of(groups).get(group.id)?.repository_storage).toBe("storage2");
    const one = await world.get(`/groups/${group.id}/repository_storage_moves/${body.id}`);
    expect(one.body).toEqual(moves[0]);
    expect((await world.get(`/group_repository_storage_moves/${body.id}`)).body).toEqual(moves[0]);
  });

  test("a snippet without files is moved", async () => {
    const { id } = putSnippet(world);
    const { status, body } = await post(`/snippets/${id}/repository_storage_moves`, {
      destination_storage_name: "storage2",
    });
    expect([status, body.snippet.id, body.snippet.project_id]).toEqual([201, id, null]);
    expect((await post(`/snippets/${id}/repository_storage_moves`)).body).toEqual({
      message: { snippet: ["is read-only"] },
    });
    await pass();
    await pass();
    expect((await world.get(`/snippet_repository_storage_moves/${body.id}`)).body.state).toBe("finished");
    expect(world.store.of(snippets).get(id)?.repository_storage).toBe("storage2");
  });
});

describe("access", () => {
  test("is for administrators, checked before existence and parameters", async () => {
    const paths = ["project", "snippet", "group"].flatMap((kind) => [
      ["GET", `/${kind}_repository_storage_moves`],
      ["GET", `/${kind}_repository_storage_moves/none`],
      ["POST", `/${kind}_repository_storage_moves`],
      ["GET", `/${kind}s/999999/repository_storage_moves`],
      ["GET", `/${kind}s/999999/repository_storage_moves/none`],
      ["POST", `/${kind}s/999999/repository_storage_moves`],
    ]) as [string, string][];
    for (const [method, path] of paths) {
      const answer = await world.call(method, path, { token: owner.token });
      expect([path, answer.status, answer.body]).toEqual([path, 403, { message: "403 Forbidden" }]);
      expect((await world.call(method, path)).status).toBe(401);
    }
  });

  test("to unknown containers and moves is 404, to malformed ids 400", async () => {
    const { id } = await makeProject(world);
    const other = await makeProject(world);
    const { body: move } = await schedule(other.id, "default");
    const answers: [string, number, object][] = [
      ["/projects/999999/repository_storage_moves", 404, { message: "404 Project Not Found" }],
      ["/groups/999999/repository_storage_moves", 404, { message: "404 Group Not Found" }],
      ["/snippets/999999/repository_storage_moves", 404, { message: "404 Snippet Not Found" }],
      ["/project_repository_storage_moves/999999", 404, { message: "404 Not found" }],
      [`/projects/${id}/repository_storage_moves/${move.id}`, 404, { message: "404 Not found" }],
      ["/project_repository_storage_moves/none", 400, { error: "repository_storage_move_id is invalid" }],
      [`/projects/${id}/repository_storage_moves/none`, 400, { error: "repository_storage_move_id is invalid" }],
    ];
    for (const [path, status, body] of answers) {
      const answer = await world.get(path);
      expect([path, answer.status, answer.body]).toMatchObject([path, status, body]);
    }
    expect((await world.get(`/projects/${other.id}/repository_storage_moves/${move.id}`)).body).toEqual(move);
    const refused = await schedule(id, "nowhere");
    const message = { destination_storage_name: ["is not included in the list"] };
    expect([refused.status, refused.body]).toEqual([400, { message }]);
    await pass();
    await pass();
  });

  test("to PUT /projects/:id with a storage schedules a move for administrators, and does nothing for others", async () => {
    const { id } = await makeProject(world, { repository_storage: "default" });
    const put = (repository_storage: string, token = rootToken) =>
      world.call("PUT", `/projects/${id}`, { token, json: { repository_storage } });
    const { id: own } = (await post("/projects", { name: "own" }, owner.token)).body;
    const silent = await world.call("PUT", `/projects/${own}`, {
      token: owner.token,
      json: { repository_storage: "storage2" },
    });
    expect([silent.status, (await world.get(`/projects/${own}/repository_storage_moves`)).body]).toEqual([200, []]);
    expect((await put("nowhere")).status).toBe(400);
    const { status, body } = await put("storage2");
    expect([status, body.repository_storage, (await moveOf(id)).state]).toEqual([200, "default", "scheduled"]);
    expect((await put("storage2")).body).toEqual({ message: { project: ["is read-only"] } });
    await pass();
    await pass();
    expect((await world.get(`/projects/${id}`)).body.repository_storage).toBe("storage2");
    expect((await put("storage2")).status).toBe(200);
    expect((await world.get(`/projects/${id}/repository_storage_moves`)).body).toHaveLength(1);
  });

  test("moves are deleted with their project", async () => {
    const { id } = await filled();
    await schedule(id, "storage2");
    const [old, fresh] = [folderOf(world, id), folderOf(world, id).replace(/^.*(?=\/@hashed)/, second)];
    await pass();
    await pass();
    const { id: move } = await moveOf(id);
    await world.call("DELETE", `/projects/${id}`, { token: rootToken });
    await world.jobsDone();
    expect((await world.get(`/project_repository_storage_moves/${move}`)).status).toBe(404);
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, false]);
  });
});

describe("a move fails, and leaves the source unchanged and writable", () => {
  const failing = async (break_: (folder: string) => Promise<void> | void) => {
    const { id, create, get } = await filled();
    const folder = folderOf(world, id);
    await break_(folder);
    await schedule(id, "storage2");
    await pass();
    await pass();
    const move = await moveOf(id);
    expect(move.state).toBe("failed");
    expect((await world.get(`/projects/${id}`)).body.repository_storage).toBe("default");
    expect(world.context.repositories.isReadOnly({ kind: "project", id })).toBe(false);
    expect(existsSync(folder.replace(/^.*(?=\/@hashed)/, second))).toBe(false);
    return { move, id, create, get };
  };
  const objectIn = (folder: string, at = 0) => {
    const [name = ""] = readdirSync(`${folder}/objects`)
      .filter((each) => each.length === 2)
      .slice(at);
    return `objects/${name}/${readdirSync(`${folder}/objects/${name}`)[0]}`;
  };

  test("when an object does not match its name", async () => {
    let broken = "";
    const { move } = await failing(async (folder) => {
      broken = objectIn(folder);
      await rm(`${folder}/${broken}`);
      await Bun.write(`${folder}/${broken}`, Bun.file(`${folder}/${objectIn(folder, 1)}`));
    });
    expect(move.error_message).toBe(`${broken} is damaged`);
  });

  test("when an object is truncated", async () => {
    const { move } = await failing(async (folder) => {
      const path = `${folder}/${objectIn(folder)}`;
      const bytes = await Bun.file(path).bytes();
      await rm(path);
      await Bun.write(path, bytes.slice(0, 9));
    });
    expect(move.error_message).toMatch(/^objects\/.* is damaged$/);
  });

  test("when a byte of a pack has changed", async () => {
    const { move } = await failing(async (folder) => {
      await git(["-C", folder, "gc", "-q"]);
      const pack = readdirSync(`${folder}/objects/pack`).find((name) => name.endsWith(".pack"));
      const path = `${folder}/objects/pack/${pack}`;
      const bytes = await Bun.file(path).bytes();
      bytes[20] = (bytes[20] as number) ^ 1;
      await rm(path);
      await Bun.write(path, bytes);
    });
    expect(move.error_message).toMatch(/^objects\/pack\/.*\.pack is damaged$/);
  });

  test("when the destination is gone, and succeeds later when it is back", async () => {
    const { id, move, create } = await failing(() => renameSync(second, `${second}-gone`));
    expect(move.error_message).toBe("the folder of storage storage2 is gone");
    expect((await create("b.txt")).status).toBe(201);
    renameSync(`${second}-gone`, second);
    await schedule(id, "storage2");
    await pass();
    await pass();
    expect((await moveOf(id)).state).toBe("finished");
    await checkRepository(world, id);
  });

  test("when the files of the repository are missing", async () => {
    const { move } = await failing((folder) => rm(folder, { recursive: true }));
    expect(move.error_message).toBe("the repository has no files");
  });
});

test("a source that cannot be removed is logged, and blocks neither the project nor its way back", async () => {
  const { id, create } = await filled();
  const { repositories } = world.context;
  const removing = spyOn(repositories, "removeOld").mockImplementation(() => Promise.reject(new Error("it is busy")));
  const old = folderOf(world, id);
  await schedule(id, "storage2");
  await pass();
  await pass();
  removing.mockRestore();
  const { state, error_message } = await moveOf(id);
  expect([state, error_message, existsSync(old)]).toEqual(["cleanup failed", "it is busy", true]);
  expect((await create("b.txt")).status).toBe(201);
  await schedule(id, "default");
  await pass();
  await pass();
  expect([(await moveOf(id)).state, folderOf(world, id)]).toEqual(["finished", old]);
  await checkRepository(world, id);
  expect(await git(["-C", old, "ls-tree", "--name-only", "main"])).toContain("b.txt");
});

test("community has no moves of groups", async () => {
  const community = await startWorld({ edition: "community" });
  const answer = await community.get("/group_repository_storage_moves");
  expect(answer.status).toBe(404);
  expect((await community.get("/snippet_repository_storage_moves")).status).toBe(200);
});
