import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../../../src/lib/log.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { checkRepository, filesOf, folderOf, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";

const folder = await createTempFolder();
afterAll(() => folder.remove());
const second = join(folder.path, "second");
const world = await startWorld({
  repositoryStorages: [
    { name: "default", folder: undefined },
    { name: "storage2", folder: second },
    { name: "storage3", folder: undefined },
  ],
});
const put = (repository_storages_weighted: unknown) =>
  world.call("PUT", "/application/settings", { token: rootToken, json: { repository_storages_weighted } });
const read = async () => (await world.get("/application/settings")).body.repository_storages_weighted;

describe("repository_storages_weighted", () => {
  test("is 100 for the first storage and 0 for the others by default", async () => {
    expect(await read()).toEqual({ default: 100, storage2: 0, storage3: 0 });
    const { repository_storage } = await makeProject(world);
    expect(repository_storage).toBe("default");
  });

  test("decides where new repositories go; a storage without a weight gets none", async () => {
    const from = world.events().length;
    const { status, body } = await put({ storage2: 50 });
    expect([status, body.repository_storages_weighted]).toEqual([200, { default: 0, storage2: 50, storage3: 0 }]);
    expect(await read()).toEqual({ default: 0, storage2: 50, storage3: 0 });
    expect((await makeProject(world)).repository_storage).toBe("storage2");
    expect(world.events(from)[0]).toMatchObject({
      event_name: "application_setting_updated",
      entity_type: "Service::Audit::InstanceScope",
      details: { change: "repository_storages_weighted", to: '{"default":0,"storage2":50,"storage3":0}' },
    });
  });

  test("picks each storage in proportion to its weight", async () => {
    await put({ default: 75, storage2: 25 });
    const seen: Record<string, number> = { default: 0, storage2: 0, storage3: 0 };
    for (let at = 0; at < 80; at += 1) {
      const { repository_storage } = await makeProject(world);
      seen[repository_storage] = (seen[repository_storage] ?? 0) + 1;
    }
    expect(seen.storage3).toBe(0);
    expect(seen.default).toBeGreaterThan(seen.storage2 as number);
    expect(seen.storage2).toBeGreaterThan(2);
  });

  test("the first storage takes all when every weight is 0", async () => {
    await put({ default: 0 });
    expect((await makeProject(world)).repository_storage).toBe("default");
  });

  test.each([
    [{ nowhere: 1 }, "can't include: nowhere"],
    [{ default: 101 }, "value for 'default' must be between 0 and 100"],
    [{ default: -1 }, "value for 'default' must be between 0 and 100"],
  ])("%p is refused", async (weights, text) => {
    const before = await read();
    const { status, body } = await put(weights);
    expect([status, body.message]).toEqual([400, { repository_storages_weighted: [text] }]);
    expect(await read()).toEqual(before);
  });

  test("with a value that is no number is refused", async () => {
    expect((await put({ default: "much" })).body).toMatchObject({ error: "repository_storages_weighted is invalid" });
    expect((await put(7)).status).toBe(400);
  });

  test("may be a form, too", async () => {
    const form = { "repository_storages_weighted[default]": "10", "repository_storages_weighted[storage3]": "5" };
    const { body } = await world.call("PUT", "/application/settings", { token: rootToken, form });
    expect(body.repository_storages_weighted).toEqual({ default: 10, storage2: 0, storage3: 5 });
  });
});

describe("the storage of a project", () => {
  test("has its repository, below the hash of its id", async () => {
    const { id } = await makeProject(world, { repository_storage: "storage2" });
    await filesOf(world, id, rootToken).create("a.txt");
    const { body } = await world.get(`/projects/${id}/storage`);
    expect(body.repository_storage).toBe("storage2");
    expect(folderOf(world, id)).toBe(`${second}/${body.disk_path}.git`);
    expect(body.disk_path).toMatch(/^@hashed\/([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{60}$/);
    await checkRepository(world, id);
  });

  test("is set by administrators; unknown names are refused, and other users' ignored", async () => {
    await put({ default: 100 });
    const json = { name: "moved", repository_storage: "nowhere" };
    const { status } = await world.call("POST", "/projects", { token: rootToken, json });
    expect(status).toBe(400);
    const ann = await world.user();
    const { body } = await world.call("POST", "/projects", { token: ann.token, json });
    expect("repository_storage" in body).toBe(false);
    expect((await world.get(`/projects/${body.id}`)).body.repository_storage).toBe("default");
  });

  test("stays when the project is renamed or moved", async () => {
    const { id } = await makeProject(world);
    await filesOf(world, id, rootToken).create("a.txt");
    const before = folderOf(world, id);
    await world.call("PUT", `/projects/${id}`, { token: rootToken, json: { path: "another-path" } });
    const { body: group } = await world.call("POST", "/groups", { token: rootToken, json: { name: "G", path: "gg" } });
    await world.call("PUT", `/projects/${id}/transfer`, { token: rootToken, json: { namespace: group.id } });
    expect(folderOf(world, id)).toBe(before);
    expect((await filesOf(world, id, rootToken).get("a.txt")).status).toBe(200);
  });

  test("loses the files when the project is deleted", async () => {
    const { id } = await makeProject(world);
    await filesOf(world, id, rootToken).create("a.txt");
    const folder = folderOf(world, id);
    expect(existsSync(folder)).toBe(true);
    await world.call("DELETE", `/projects/${id}`, { token: rootToken });
    await world.jobsDone();
    expect(world.store.of(projects).get(id)).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(join(folder, ".."))).toEqual([]);
  });

  test("that is not configured any more makes the repository unavailable", async () => {
    const { id } = await makeProject(world);
    const project = world.store.of(projects).get(id);
    if (project === undefined) throw new Error("no project");
    world.store.transact((tx) => tx.update(projects, { ...project, repository_storage: "gone" }));
    const response = await fetch(`${world.origin}/api/v4/projects/${id}/repository/tree`, {
      headers: { "PRIVATE-TOKEN": rootToken },
    });
    expect(response.status).toBe(503);
  });
});

describe("a start is refused", () => {
  const startWith = async (folders: readonly (string | undefined)[]) => {
    const dataFolder = join(folder.path, "data");
    const repositoryStorages = folders.map((folder, at) => ({ name: `s${at}`, folder }));
    const starting = startApp(configFor(dataFolder, { repositoryStorages }), silentLog);
    return starting.then(
      (app) => app.stop().then(() => "started"),
      (error: Error) => error.message,
    );
  };

  test("when two storages have one folder", async () => {
    expect(await startWith([second, second])).toBe(`storages s0 and s1 have the same folder ${second}`);
  });

  test("when a storage's folder cannot be used", async () => {
    await Bun.write(`${second}/file`, "no folder");
    expect(await startWith([`${second}/file`])).toContain("the folder of storage s0 cannot be used");
    expect(await startWith([`${second}/file/below`])).toContain("the folder of storage s0 cannot be used");
  });
});

test("an administrator sees what is on each storage, and its disk", async () => {
  const list = async (): Promise<Json[]> => (await world.get("/-/storages")).body;
  const before = await list();
  expect(before.map(({ name }) => name)).toEqual(["default", "storage2", "storage3"]);
  await put({ default: 0, storage2: 100 });
  await makeProject(world);
  const after = await list();
  const grown = after.map(({ projects: count }, index) => count - before[index]?.projects);
  expect(grown).toEqual([0, 1, 0]);
  const { bsize, blocks } = statfsSync(second);
  expect(after[1]).toMatchObject({ snippets: 0, groups: 0, disk_bytes: bsize * blocks });
  expect(after[1]?.free_bytes).toBeWithin(1, bsize * blocks);
});
