import { describe, expect, test } from "bun:test";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const top = places.group({ path: "top", visibility: "public" });
const sub = places.group({ path: "sub", parent_id: top.id, visibility: "public" });
const guests = places.group({ path: "guests", visibility: "public" });
addMember(world, top, ann, "developer");

async function make(path: string, namespace_id: number, more: object = {}): Promise<Json> {
  world.clock.advance(1000);
  const json = { path, namespace_id, visibility: "public", ...more };
  return (await world.call("POST", "/projects", { token: rootToken, json })).body;
}

const one = await make("one", top.id);
const two = await make("two", sub.id);
const hidden = await make("hidden", top.id, { visibility: "private" });
world.store.transact((tx) =>
  tx.insert(groupLinks, {
    id: tx.nextId("group_links"),
    source_type: "project",
    source_id: one.id,
    group_id: guests.id,
    group_access: 30,
    expires_at: "2100-01-01",
    created_at: world.clock.time(),
    updated_at: world.clock.time(),
  }),
);

const paths = async (path: string, query: object = {}, token?: string) =>
  (await world.call("GET", path, { token, query: { ...query } })).body.map((project: Json) => project.path);

describe("GET /groups/:id/projects", () => {
  test("lists the projects that the caller sees there, the newest first", async () => {
    expect(await paths(`/groups/${top.id}/projects`)).toEqual(["one"]);
    expect(await paths("/groups/TOP/projects", {}, ann.token)).toEqual(["hidden", "one"]);
    expect(await paths("/groups/top%2Fsub/projects")).toEqual(["two"]);
    expect(await paths("/groups/top/projects", { order_by: "name", sort: "asc" }, ann.token)).toEqual([
      "hidden",
      "one",
    ]);
    expect(await paths("/groups/top/projects", { owned: true }, ann.token)).toEqual([]);
    expect(await paths("/groups/top/projects", { min_access_level: 30, search: "hid" }, ann.token)).toEqual(["hidden"]);
  });

  test("includes groups below and above on request", async () => {
    expect(await paths("/groups/top/projects", { include_subgroups: true })).toEqual(["two", "one"]);
    expect(await paths("/groups/top%2Fsub/projects", { include_ancestor_groups: true })).toEqual(["two", "one"]);
  });

  test("includes shared projects unless the request says otherwise", async () => {
    expect(await paths("/groups/guests/projects")).toEqual(["one"]);
    expect(await paths("/groups/guests/projects", { with_shared: false })).toEqual([]);
    expect(await paths("/groups/guests/projects/shared")).toEqual(["one"]);
    expect(await paths("/groups/top/projects/shared")).toEqual([]);
  });

  test("is 404 for a hidden or unknown group", async () => {
    places.group({ path: "private" });
    for (const path of ["/groups/private/projects", "/groups/9999/projects", "/groups/private/projects/shared"]) {
      expect((await world.call("GET", path, { token: ann.token })).body).toEqual({ message: "404 Group Not Found" });
    }
  });

  test("refuses an order by size, even from administrators", async () => {
    expect((await world.get("/groups/top/projects", { query: { order_by: "wiki_size" } })).status).toBe(400);
  });
});

describe("POST /groups/:id/projects/:project_id", () => {
  test("transfers a project into a group for an administrator, by id or full path", async () => {
    const moving = await make("moving", top.id);
    const path = encodeURIComponent("top/moving");
    expect((await world.call("POST", `/groups/${guests.id}/projects/${path}`, { token: ann.token })).status).toBe(403);
    const { status, body } = await world.call("POST", `/groups/${guests.id}/projects/${path}`, { token: rootToken });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: guests.id, full_path: "guests" });
    expect((await world.get(`/projects/${moving.id}`)).body.path_with_namespace).toBe("guests/moving");
    expect((await world.call("POST", `/groups/${guests.id}/projects/${moving.id}`, { token: rootToken })).status).toBe(
      400,
    );
  });

  test("is 404 for unknown ones", async () => {
    const { body } = await world.call("POST", `/groups/${guests.id}/projects/99999`, { token: rootToken });
    expect(body).toEqual({ message: "404 Project Not Found" });
    expect((await world.call("POST", `/groups/99999/projects/${hidden.id}`, { token: rootToken })).status).toBe(404);
    expect(two.id).toBeGreaterThan(0);
  });
});
