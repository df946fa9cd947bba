import { describe, expect, test } from "bun:test";
import { customAttributesOf, upsertCustomAttribute } from "../../../src/modules/core/custom-attributes/index.ts";
import { groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { formerPaths, namespaces } from "../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { insertGroups, makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const mia = await world.user({ username: "mia" });

const remove = (id: number | string, token = ann.token, headers: Record<string, string> = {}) =>
  world.call("DELETE", `/groups/${id}`, { token, headers });
const group = (path: string, attributes: Json = {}) => makeGroup(world, { path, ...attributes }, ann.token);
const size = () => ({
  groups: world.store.of(groups).size,
  namespaces: world.store.of(namespaces).size,
  projects: world.store.of(projects).size,
  memberships: world.store.of(memberships).size,
  links: world.store.of(groupLinks).size,
  formerPaths: world.store.of(formerPaths).size,
});

describe("deleting a group", () => {
  test("is accepted, and everything in it is deleted", async () => {
    const outside = await group("outside");
    const before = size();
    const top = await group("top", { visibility: "public" });
    const sub = await group("sub", { parent_id: top.id, visibility: "public" });
    const project = places.project(sub.id, { path: "app", visibility: "public" });
    places.member(project, mia.id, 30);
    places.member(sub, mia.id, 30);
    places.share(outside, sub, 30);
    places.share(top, outside, 30);
    places.share(project, outside, 30);
    world.store.transact((tx) =>
      upsertCustomAttribute(tx, world.context, { resource: "Group", id: sub.id }, "team", "red"),
    );

    const { status, body } = await remove("top");
    expect({ status, body }).toEqual({ status: 202, body: { message: "202 Accepted" } });
    for (const id of [top.id, sub.id, "top", "top%2Fsub"]) {
      expect((await world.get(`/groups/${id}`)).body).toEqual({ message: "404 Group Not Found" });
    }
    expect((await world.get("/groups")).body.map((each: Json) => each.path)).toEqual(["outside"]);
    // The path is free at once.
    const again = await group("TOP");
    expect((await group("sub", { parent_id: again.id })).full_path).toBe("TOP/sub");

    await world.jobsDone();
    expect(customAttributesOf(world.store, "Group", sub.id)).toEqual([]);
    await remove(again.id);
    await world.jobsDone();
    expect(size()).toEqual(before);
    expect((await world.get(`/groups/${outside.id}`)).body.shared_with_groups).toEqual([]);
  });

  test("is recorded with its path", async () => {
    const top = await group("recorded");
    const from = world.events().length;
    await remove(top.id);
    expect(world.events(from)).toMatchObject([
      {
        event_name: "group_destroyed",
        entity_id: top.id,
        details: { entity_path: "recorded", target_details: "recorded", custom_message: "Group destroyed" },
      },
    ]);
  });

  test("that is a subgroup leaves the parent, and frees its name", async () => {
    const top = await group("parent");
    const sub = await group("child", { parent_id: top.id, name: "Child" });
    await remove(sub.id);
    expect((await group("child", { parent_id: top.id, name: "Child" })).full_path).toBe("parent/child");
    expect((await world.get("/groups/parent/subgroups")).body).toHaveLength(1);
  });

  test("with a tree of hundreds hides it at once, before the job ends", async () => {
    await world.jobsDone();
    const before = size();
    const top = await group("forest", { visibility: "public" });
    const first = insertGroups(world, 700, "tree", top.id);
    const leaf = insertGroups(world, 1, "leaf", first + 699);
    const project = places.project(leaf, { path: "nut", visibility: "public" });
    await remove(top.id);
    // The job may have got there already: what it removed is looked up by nobody.
    for (const path of [`/groups/${leaf}`, `/projects/${project.id}`]) expect((await world.get(path)).status).toBe(404);
    await world.jobsDone();
    expect(size()).toEqual(before);
  });
});

describe("refusals", () => {
  test("meet members without the right, strangers, and anonymous callers", async () => {
    const open = await group("refused", { visibility: "public" });
    places.member(open, mia.id, 40);
    expect((await remove(open.id, mia.token)).body).toEqual({ message: "403 Forbidden" });
    const hidden = await group("refused-too");
    expect((await remove(hidden.id, mia.token)).body).toEqual({ message: "404 Group Not Found" });
    expect((await world.call("DELETE", `/groups/${open.id}`)).status).toBe(401);
    expect((await world.get(`/groups/${open.id}`)).status).toBe(200);
  });

  test("meet a group that has changed since the caller's read", async () => {
    const { id } = await group("changed");
    const seen = new Date(world.clock.now()).toUTCString();
    world.clock.advance(10_000);
    await world.call("PUT", `/groups/${id}`, { token: ann.token, json: { name: "Changed" } });
    const { status, body } = await remove(id, ann.token, { "If-Unmodified-Since": seen });
    expect({ status, body }).toEqual({ status: 412, body: { message: "412 Precondition Failed" } });
    const later = new Date(world.clock.now() + 1_000).toUTCString();
    expect((await remove(id, ann.token, { "If-Unmodified-Since": later })).status).toBe(202);
  });

  test("meet a second deletion", async () => {
    const { id } = await group("once");
    expect((await remove(id)).status).toBe(202);
    expect((await remove(id, rootToken)).status).toBe(404);
  });
});
