import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { silentLog } from "../../../src/lib/log.ts";
import { modules } from "../../../src/modules/index.ts";
import { assembleModules, type ModuleManifest } from "../../../src/modules/kernel/module.ts";
import { ok, operation } from "../../../src/modules/kernel/operation.ts";
import { startApp } from "../../../src/server/app.ts";
import { bookmarks, bookmarksModule } from "../../support/fixtures/bookmarks.ts";
import { configFor } from "../../support/fixtures/config.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const world = await startWorld({}, {}, [bookmarksModule]);
const send = (method: string, path: string, json?: Json) =>
  world.call(method, path, { token: rootToken, ...(json === undefined ? {} : { json }) });

async function newProject(name: string): Promise<string> {
  const { body } = await send("POST", "/projects", { name });
  return `/projects/${body.id}`;
}

test("one manifest adds the routes of a module", async () => {
  const path = `${await newProject("routed")}/bookmarks`;
  const { status, body } = await send("POST", path, { title: "first" });
  expect([status, body]).toEqual([201, { id: body.id, title: "first", is_checked: false }]);
  expect((await send("GET", path)).body).toMatchObject([{ id: body.id }]);
  expect((await send("PUT", `${path}/${body.id}`, { title: "second" })).body.title).toBe("second");
  expect((await send("GET", `${path}/${body.id}`)).body.title).toBe("second");
  expect((await send("DELETE", `${path}/${body.id}`)).status).toBe(204);
  expect((await send("GET", `${path}/${body.id}`)).status).toBe(404);
});

test("the operations of an added module are refused to all callers that they do not name", async () => {
  const path = `${await newProject("refused")}/bookmarks`;
  const { token } = await world.user();
  expect((await world.call("GET", path)).status).toBe(401);
  expect((await world.call("GET", path, { token })).status).toBe(404);
});

test("the API reference has the tag of an added module last, and its operations", async () => {
  const { body: document } = await world.call("GET", "/-/openapi.json");
  expect(document.tags.at(-1)).toEqual({ name: "Bookmarks" });
  const at = (path: string) => Object.keys(document.paths[`/api/v4/projects/{id}/bookmarks${path}`]);
  expect([at(""), at("/{bookmark_id}")]).toEqual([
    ["get", "post"],
    ["get", "put", "delete"],
  ]);
  expect(document.components.schemas.Bookmark.properties).toHaveProperty("is_checked");
});

test("the jobs of an added module run, and administrators see its kind in the metrics", async () => {
  const path = `${await newProject("checked")}/bookmarks`;
  const { body } = await send("POST", path, { title: "to be checked" });
  await world.jobsDone();
  expect((await send("GET", `${path}/${body.id}`)).body.is_checked).toBe(true);
  expect((await world.get("/-/metrics")).text).toContain('kind="bookmark_check"');
});

test("the data of an added module in a project is deleted with it", async () => {
  const [gone, kept] = [await newProject("gone"), await newProject("kept")];
  for (const project of [gone, gone, kept]) await send("POST", `${project}/bookmarks`, { title: "one" });
  const inProject = (path: string) => world.store.of(bookmarks).by.project_id.find(Number(path.split("/").at(-1))).size;
  expect([inProject(gone), inProject(kept)]).toEqual([2, 1]);
  expect((await send("DELETE", gone)).status).toBe(202);
  await world.jobsDone();
  expect([inProject(gone), inProject(kept)]).toEqual([0, 1]);
});

test("a module that contradicts the product's own is refused", () => {
  const namesake = { ...bookmarksModule, name: "projects" };
  expect(() => assembleModules([...modules, namesake])).toThrow("two modules have the name projects");
});

test("an added module begins before the first request, and ends after the last one", async () => {
  await using folder = await createTempFolder();
  const calls: string[] = [];
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const answer = ok(Type.Object({ seen: Type.Array(Type.String()) }));
  const watching: ModuleManifest = {
    name: "watching",
    tag: "Watching",
    areas: ["watching"],
    operations: async () => [
      operation({
        ...{ method: "GET", path: "/watching", summary: "Watch", who: "anyone", params: Type.Object({}), answer },
        async handle() {
          reached.resolve();
          await held.promise;
          calls.push("a request ends");
          return { seen: calls };
        },
      }),
    ],
    start: () => void calls.push("the module begins"),
    stop: async (_, drained) => {
      calls.push("the stop begins");
      held.resolve();
      await drained;
      calls.push("the module ends");
    },
  };
  const app = await startApp(configFor(folder.path), silentLog, { modules: [watching] });
  const request = fetch(`${app.origin}/api/v4/watching`);
  await reached.promise;
  await app.stop();
  expect(await (await request).json()).toEqual({ seen: ["the module begins", "the stop begins", "a request ends"] });
  expect(calls.at(-1)).toBe("the module ends");
});
