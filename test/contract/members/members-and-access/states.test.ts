import { describe, expect, test } from "bun:test";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const owner = await world.user();
const user = await world.user();
const top = putGroup(world, { visibility: "public" });
const sub = putGroup(world, { parent_id: top.id, visibility: "public" });
const project = putProject(world, sub.id);
putMember(world, groupRef(top), owner.id, 50);
const first = putMember(world, groupRef(sub), user.id, 20);
putMember(world, projectRef(project), user.id, 30);

const set = async (groupId: number, userId: number | string, state: unknown, token = owner.token) => {
  const { status, body } = await world.call("PUT", `/groups/${groupId}/members/${userId}/state`, {
    token,
    json: { state },
  });
  return [status, body];
};
const projectStatus = async () =>
  (await world.call("GET", `/projects/${project.id}/members`, { token: user.token })).status;
const success = [200, { success: true }];

describe("the state of memberships", () => {
  test("removes access and seat in the whole hierarchy when awaiting, and restores them when active", async () => {
    expect(await projectStatus()).toBe(200);
    const before = world.events().length;
    expect(await set(top.id, user.id, "awaiting")).toEqual(success);
    expect(await projectStatus()).toBe(404);
    const waiting = await world.get(`/projects/${project.id}/members/all`, { query: "state=awaiting" });
    expect(waiting.body).toMatchObject([{ id: user.id, state: "awaiting" }]);
    const seats = async () => (await world.get(`/groups/${top.id}/billable_members`)).body.map(({ id }: Json) => id);
    expect(await seats()).toEqual([owner.id]);
    expect(await set(top.id, user.id, "awaiting")).toEqual(success);
    expect(world.events(before)).toMatchObject([
      {
        event_name: "change_membership_state",
        entity_type: "Group",
        entity_id: top.id,
        details: { target_id: user.id, target_type: "User", custom_message: expect.any(String) },
      },
    ]);
    expect(await set(top.id, user.id, "active")).toEqual(success);
    expect(await projectStatus()).toBe(200);
    expect(await seats()).toEqual([owner.id, user.id]);
  });

  test("is refused in the order of the page", async () => {
    expect((await set(top.id, 987654, "asleep"))[1]).toMatchObject({ error: "state does not have a valid value" });
    expect(await set(987654, 987654, "active")).toEqual([404, { message: "404 User Not Found" }]);
    expect(await set(987654, user.id, "active")).toEqual([404, { message: "404 Group Not Found" }]);
    expect(await set(sub.id, user.id, "active")).toEqual([400, { message: "400 Bad request" }]);
    expect(await set(top.id, user.id, "active", user.token)).toEqual([400, { message: "400 Bad request" }]);
    const stranger = await world.user();
    expect(await set(top.id, stranger.id, "active")).toEqual([422, { message: "No memberships found" }]);
    expect((await set(top.id, owner.id, "awaiting"))[0]).toBe(422);
  });
});

describe("pending members", () => {
  const pending = (token = owner.token) => world.call("GET", `/groups/${top.id}/pending_members`, { token });
  const approve = async (id: number | string, method = "PUT", rest = "/approve") => {
    const { status } = await world.call(method, `/groups/${top.id}/members/${id}${rest}`, { token: owner.token });
    return status;
  };

  test("are one entry for each user who waits in the hierarchy, and are approved by the id of a membership", async () => {
    await set(top.id, user.id, "awaiting");
    expect((await pending()).body).toEqual([
      {
        id: first.id,
        name: user.record.name,
        username: user.username,
        email: null,
        web_url: `${world.origin}/${user.username}`,
        avatar_url: expect.any(String),
        approved: false,
        invited: false,
      },
    ]);
    expect((await pending(rootToken)).body[0].email).toBe(user.email);
    world.alter(user.id, { public_email: user.email });
    expect((await pending()).body[0].email).toBe(user.email);
    expect(await approve(first.id)).toBe(204);
    expect((await pending()).body).toEqual([]);
    expect(await projectStatus()).toBe(200);
    expect(await approve(first.id)).toBe(400);
    expect(await approve(987654)).toBe(404);
    const elsewhere = putMember(world, groupRef(putGroup(world)), user.id, 20, { state: "awaiting" });
    expect(await approve(elsewhere.id)).toBe(404);
    expect(await approve("abc")).toBe(400);
  });

  test("are all approved at once, by POST and by PUT", async () => {
    for (const method of ["POST", "PUT"]) {
      await set(top.id, user.id, "awaiting");
      expect(await approve("approve_all", method, "")).toBe(204);
      expect(await projectStatus()).toBe(200);
    }
  });

  test("are for owners of top-level groups", async () => {
    const bad = { message: "400 Bad request" };
    expect((await pending(user.token)).body).toEqual(bad);
    expect((await world.get(`/groups/${sub.id}/pending_members`)).body).toEqual(bad);
    const { body } = await world.call("POST", `/groups/${sub.id}/members/approve_all`, { token: rootToken });
    expect(body).toEqual(bad);
  });
});
