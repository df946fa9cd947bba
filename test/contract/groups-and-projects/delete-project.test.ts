import { describe, expect, test } from "bun:test";
import { customAttributesOf, upsertCustomAttribute } from "../../../src/modules/core/custom-attributes/index.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { projectStars } from "../../../src/modules/groups-and-projects/projects/records-stars.ts";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const max = await world.user({ username: "max" });
const acme = places.group({ path: "acme" });
addMember(world, acme, ann, "owner");
addMember(world, acme, max, "maintainer");

async function make(path: string, more: object = { namespace_id: acme.id }): Promise<Json> {
  return (await world.call("POST", "/projects", { token: ann.token, json: { path, ...more } })).body;
}
const remove = (id: number, token: string = ann.token, headers = {}) =>
  world.call("DELETE", `/projects/${id}`, { token, headers });

describe("DELETE /projects/:id", () => {
  test("is accepted, hides it from all at once, and frees its path and name", async () => {
    const { id } = await make("gone");
    const { status, body } = await remove(id);
    expect({ status, body }).toEqual({ status: 202, body: { message: "202 Accepted" } });
    for (const path of [`/projects/${id}`, "/projects/acme%2Fgone", `/projects/${id}/users`]) {
      expect((await world.get(path)).body).toEqual({ message: "404 Project Not Found" });
    }
    expect((await world.get("/projects")).body).toEqual([]);
    expect((await world.call("GET", "/groups/acme/projects", { token: ann.token })).body).toEqual([]);
    expect((await remove(id)).status).toBe(404);
    const again = await make("gone");
    expect(again.id).not.toBe(id);
    await world.jobsDone();
    expect(world.store.of(projects).get(id)).toBeUndefined();
    expect((await world.get("/projects/acme%2Fgone")).body.id).toBe(again.id);
    await remove(again.id);
  });

  test("deletes everything in it, in any amount", async () => {
    const { id } = await make("heavy", {});
    const group = places.group({ path: "invited" });
    const stamp = { created_at: world.clock.time(), updated_at: world.clock.time() };
    world.store.transact((tx) => {
      for (let user = 1000; user < 1130; user += 1) {
        tx.insert(projectStars, {
          id: tx.nextId("project_stars"),
          user_id: user,
          project_id: id,
          created_at: stamp.created_at,
        });
        tx.insert(memberships, {
          id: tx.nextId("memberships"),
          source_type: "project",
          source_id: id,
          user_id: user,
          access_level: 30,
          state: "active",
          expires_at: null,
          created_by_id: null,
          ...stamp,
        });
      }
      tx.insert(groupLinks, {
        id: tx.nextId("group_links"),
        source_type: "project",
        source_id: id,
        group_id: group.id,
        group_access: 30,
        expires_at: null,
        ...stamp,
      });
      upsertCustomAttribute(tx, world.context, { resource: "Project", id }, "k", "v");
    });
    await remove(id);
    await world.jobsDone();
    expect(world.store.of(projects).get(id)).toBeUndefined();
    expect(world.store.of(memberships).by.source.find(`project ${id}`).size).toBe(0);
    expect(world.store.of(groupLinks).by.source.find(`project ${id}`).size).toBe(0);
    expect(world.store.of(projectStars).by.project_id.find(id).size).toBe(0);
    expect(customAttributesOf(world.store, "Project", id)).toEqual([]);
  });

  test("is for owners, and refused when the project has changed since the caller's read", async () => {
    const { id } = await make("kept");
    expect((await remove(id, max.token)).status).toBe(403);
    world.clock.advance(5000);
    await world.call("PUT", `/projects/${id}`, { token: ann.token, json: { description: "changed" } });
    const before = new Date(world.clock.now() - 4000).toUTCString();
    expect((await remove(id, ann.token, { "If-Unmodified-Since": before })).status).toBe(412);
    expect(
      (await remove(id, ann.token, { "If-Unmodified-Since": new Date(world.clock.now() + 2000).toUTCString() })).status,
    ).toBe(202);
  });

  test("frees a place below the projects limit", async () => {
    const few = await world.user({ username: "few", projects_limit: 1 });
    const create = (path: string) => world.call("POST", "/projects", { token: few.token, json: { path } });
    const { body } = await create("one");
    expect((await create("two")).status).toBe(403);
    await remove(body.id, few.token);
    expect((await create("two")).status).toBe(201);
  });

  test("writes an event on its group, or on the project itself", async () => {
    const [inGroup, personal] = [await make("audited"), await make("audited", {})];
    const from = world.events().length;
    await remove(inGroup.id);
    await remove(personal.id, rootToken);
    const details = { custom_message: "Project destroyed", target_type: "Project" };
    expect(world.events(from)).toMatchObject([
      {
        event_name: "project_destroyed",
        entity_type: "Group",
        entity_id: acme.id,
        details: { ...details, target_details: "acme/audited" },
      },
      {
        event_name: "project_destroyed",
        entity_type: "Project",
        entity_id: personal.id,
        details: { ...details, target_details: "ann/audited" },
      },
    ]);
  });
});
