import { describe, expect, test } from "bun:test";
import { updateGroupRecord } from "../../../../src/modules/core/namespaces/index.ts";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

describe("in the community edition", async () => {
  const world = await startWorld({ edition: "community" });
  const group = putGroup(world);
  const user = await world.user();
  putMember(world, groupRef(group), user.id, 10);

  test.each([
    ["GET", "/billable_members"],
    ["GET", "/billable_members/1/memberships"],
    ["GET", "/billable_members/1/indirect"],
    ["DELETE", "/billable_members/1"],
    ["GET", "/pending_members"],
    ["PUT", "/members/1/state"],
    ["PUT", "/members/1/approve"],
    ["POST", "/members/approve_all"],
    ["PUT", "/members/approve_all"],
  ])("%s %s is an unknown route", async (method, path) => {
    for (const token of [rootToken, undefined]) {
      const { status, body } = await world.call(method, `/groups/${group.id}${path}`, { token });
      expect([status, body]).toEqual([404, { error: "404 Not Found" }]);
    }
  });

  test("members have no membership state, and every active user is billable", async () => {
    const { body } = await world.get(`/groups/${group.id}/members/all`, {
      query: { show_seat_info: true, state: "awaiting" },
    });
    expect(body.map(({ id, is_using_seat }: Json) => [id, is_using_seat])).toEqual([[user.id, true]]);
    expect(body[0]).not.toHaveProperty("membership_state");
    expect((await world.get(`/groups/${group.id}/members/all`, { query: { state: "asleep" } })).status).toBe(400);
  });

  test("minimal access does not exist", async () => {
    const hidden = await world.user();
    putMember(world, groupRef(group), hidden.id, 5);
    const path = `/groups/${group.id}/members`;
    expect((await world.get(path)).body.map(({ id }: Json) => id)).toEqual([user.id]);
    expect((await world.get(`${path}/all`)).body.map(({ id }: Json) => id)).toEqual([user.id]);
    for (const [method, json] of [
      ["GET", undefined],
      ["PUT", { access_level: 30 }],
      ["DELETE", undefined],
    ] as const) {
      const { status, body } = await world.call(method, `${path}/${hidden.id}`, { token: rootToken, json });
      expect([status, body]).toEqual([404, { message: "404 Not found" }]);
    }
    const other = await world.user();
    const refused = await world.call("POST", path, { token: rootToken, json: { user_id: other.id, access_level: 5 } });
    expect(refused.body).toEqual({ message: { access_level: ["is not included in the list"] } });
    const made = await world.call("POST", path, { token: rootToken, json: { user_id: hidden.id, access_level: 20 } });
    expect(made.body.access_level).toBe(20);
  });

  test("locks and roles of the paid editions are ignored", async () => {
    world.store.transact((tx) => updateGroupRecord(tx, world.store, { ...group, settings: { membership_lock: true } }));
    const project = projectRef(putProject(world, group.id));
    const json = { user_id: (await world.user()).id, access_level: 30, member_role_id: 4 };
    const { status } = await world.call("POST", `/projects/${project.id}/members`, { token: rootToken, json });
    expect(status).toBe(201);
  });
});

describe("in the premium edition", async () => {
  const world = await startWorld({ edition: "premium" });

  test("guests are billable, and custom roles are ignored", async () => {
    const group = putGroup(world);
    const user = await world.user();
    const json = { user_id: user.id, access_level: 10, member_role_id: 4 };
    expect((await world.call("POST", `/groups/${group.id}/members`, { token: rootToken, json })).status).toBe(201);
    const { body } = await world.get(`/groups/${group.id}/billable_members`);
    expect(body.map(({ id }: Json) => id)).toEqual([user.id]);
    const listed = await world.get(`/groups/${group.id}/members`, { query: { show_seat_info: true } });
    expect(listed.body[0].is_using_seat).toBe(true);
  });
});
