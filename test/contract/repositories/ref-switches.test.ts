import { describe, expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { requestStepsMax, spend } from "../../../src/domain/work-budget.ts";
import { subscribe } from "../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../src/modules/kernel/module.ts";
import { type Push, refPushed } from "../../../src/modules/repositories/repositories/index.ts";
import { putGroup, putProject } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { checkRepository, filesOf, git, makeProject } from "../ci/triggers-and-pipelines/setting.ts";

const mebibyte = 1024 ** 2;
const noiseOf = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toBase64();
const noRoom = () => new Failure("no_room", { message: "507 Insufficient Storage - no room in the test" });

describe("a change of a snippet that is refused", () => {
  async function start(settings: object) {
    const world = await startWorld(settings);
    const { id } = putProject(world, putGroup(world).id);
    const call = (method: string, path: string, json?: object) =>
      world.call(method, `/projects/${id}/snippets${path}`, { token: rootToken, ...(json ? { json } : {}) });
    const create = async (content = "old content") =>
      (await call("POST", "", { title: "T", file_name: "a.txt", content })).body as Json;
    const rawOf = async (snippet: number) => (await call("GET", `/${snippet}/raw`)).text;
    const folderOf = (snippet: number) =>
      world.context.repositories.folderOf({ kind: "snippet", id: snippet, storage: "default" });
    const objectsOf = async (snippet: number) => await git(["-C", folderOf(snippet), "count-objects"]);
    return { world, id, call, create, rawOf, folderOf, objectsOf };
  }

  test("for the quota of its project leaves its files as they were", async () => {
    const { call, create, rawOf, objectsOf } = await start({ projectQuotaMb: 1 });
    const { id } = await create();
    const before = await objectsOf(id);
    const content = `NEW${noiseOf(2 * mebibyte)}`;
    for (const json of [{ content }, { file_name: "renamed", content }]) {
      expect((await call("PUT", `/${id}`, json)).status).toBe(507);
      expect(await rawOf(id)).toBe("old content");
      expect((await call("GET", `/${id}`)).body.file_name).toBe("a.txt");
      expect(await objectsOf(id)).toBe(before);
    }
    expect((await call("PUT", `/${id}`, { file_name: "renamed", content: "new" })).status).toBe(200);
    expect(await rawOf(id)).toBe("new");
  });

  test("at its creation writes no files", async () => {
    const { world, call } = await start({ projectQuotaMb: 1 });
    const json = { title: "T", file_name: "a.txt", content: noiseOf(2 * mebibyte) };
    expect((await call("POST", "", json)).status).toBe(507);
    const place = { kind: "snippet", id: 1, storage: "default" } as const;
    expect((await world.context.repositories.read(place, (repository) => repository.branches())).size).toBe(0);
    expect(await Bun.file(`${world.context.repositories.folderOf(place)}/HEAD`).exists()).toBe(false);
  });

  test("by its transaction, when the files are on the disk, moves its branch back", async () => {
    const { call, create, rawOf, folderOf } = await start({ minFreeMemory: 100 });
    const { id } = await create();
    const json = { file_name: "renamed", content: "new", description: "d".repeat(8192) };
    expect((await call("PUT", `/${id}`, json)).status).toBe(507);
    expect(await rawOf(id)).toBe("old content");
    expect((await call("GET", `/${id}`)).body).toMatchObject({ file_name: "a.txt", description: null });
    await git(["-C", folderOf(id), "fsck", "--full", "--strict"]);
    expect((await call("PUT", `/${id}`, { content: "newer" })).status).toBe(200);
    expect(await rawOf(id)).toBe("newer");
  });
});

describe("a commit", async () => {
  let prepare = () => {};
  let run = () => {};
  const subscriber = subscribe<Push, undefined>(refPushed, {
    prepare: async () => {
      prepare();
      return undefined;
    },
    run: () => run(),
  });
  const world = await startWorld({}, {}, [defineModule({ name: "subscriber", on: [subscriber] })]);
  const headOf = async (id: number) =>
    (await world.get(`/projects/${id}/repository/branches`)).body.map(({ name, commit }: Json) => [name, commit.id]);

  test("is made although the work on what follows it is beyond the budget of a request", async () => {
    const { id } = await makeProject(world);
    prepare = run = () => spend(requestStepsMax + 1);
    const { status } = await filesOf(world, id, rootToken).create("a.txt");
    prepare = run = () => {};
    expect(status).toBe(201);
    const { statistics } = (await world.get(`/projects/${id}?statistics=true`)).body;
    expect(statistics.commit_count).toBe(1);
    expect(statistics.repository_size).toBeGreaterThan(0);
  });

  test.each(["prepares", "records"])("is not made when a subscriber that %s it refuses", async (step) => {
    const { id } = await makeProject(world);
    const files = filesOf(world, id, rootToken);
    const refuse = () => {
      throw noRoom();
    };
    const refused = async (path: string, json: Readonly<Record<string, unknown>> = {}) => {
      if (step === "prepares") prepare = refuse;
      else run = refuse;
      const { status } = await files.create(path, json);
      prepare = run = () => {};
      expect(status).toBe(507);
    };
    const sizeOf = async () => (await world.get(`/projects/${id}?statistics=true`)).body.statistics.repository_size;
    await refused("first.txt");
    expect(await headOf(id)).toEqual([]);
    expect(await sizeOf()).toBeGreaterThan(0);
    expect((await files.create("a.txt")).status).toBe(201);
    const before = await headOf(id);
    await refused("b.txt");
    await refused("b.txt", { branch: "other", start_branch: "main" });
    expect(await headOf(id)).toEqual(before);
    expect((await files.get("b.txt")).status).toBe(404);
    expect((await files.create("b.txt")).status).toBe(201);
    expect((await files.show()).body.default_branch).toBe("main");
    await checkRepository(world, id);
  });
});

test("an annotated tag asks for room, and is counted", async () => {
  const world = await startWorld({ projectQuotaMb: 1 });
  const { id } = await makeProject(world);
  await filesOf(world, id, rootToken).create("a.txt");
  const sizeOf = async () => (await world.get(`/projects/${id}?statistics=true`)).body.statistics.repository_size;
  const tag = async (tag_name: string) => {
    const json = { tag_name, ref: "main", message: noiseOf(48 * 1024) };
    return (await world.call("POST", `/projects/${id}/repository/tags`, { token: rootToken, json })).status;
  };
  const before = await sizeOf();
  expect(await tag("v1")).toBe(201);
  expect(await sizeOf()).toBeGreaterThan(before + 48 * 1024);
  const statuses: number[] = [];
  while (statuses.at(-1) !== 507 && statuses.length < 25) statuses.push(await tag(`v2.${statuses.length}`));
  expect(statuses.at(-1)).toBe(507);
  expect(await sizeOf()).toBeLessThanOrEqual(mebibyte);
  expect((await world.get(`/projects/${id}/repository/tags?per_page=100`)).body).toHaveLength(statuses.length);
});
