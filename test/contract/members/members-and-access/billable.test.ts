import { describe, expect, test } from "bun:test";
import { groupRef, projectRef, putGroup, putLink, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const person = (username: string, name: string) => world.user({ username, name, email: `${username}@quist.example` });
const owner = await person("olga", "Olga");
const sub = await person("sven", "adam");
const inProject = await person("pia", "Pia");
const invited = await person("ivan", "Ivan");
const invitedBelow = await person("ines", "Ines");
const guest = await person("gus", "Gus");

const top = putGroup(world, { path: "top", name: "Top", visibility: "public" });
const subgroup = putGroup(world, { path: "sub", name: "Sub", parent_id: top.id, visibility: "public" });
const project = putProject(world, subgroup.id, { path: "proj", name: "Proj" });
const crew = putGroup(world, { path: "crew", name: "Crew" });
const below = putGroup(world, { path: "below", name: "Below" });
const rowOfOwner = putMember(world, groupRef(top), owner.id, 50);
const rowOfSub = putMember(world, groupRef(subgroup), sub.id, 20, { created_at: world.clock.time(2) });
const rowInProject = putMember(world, projectRef(project), inProject.id, 40, {
  created_at: world.clock.time(1),
  expires_at: world.clock.day(5),
});
const rowOfInvited = putMember(world, groupRef(crew), invited.id, 50, { created_at: world.clock.time(3) });
putMember(world, groupRef(below), invitedBelow.id, 30, { created_at: world.clock.time(4) });
putLink(world, groupRef(top), crew.id, 15);
putLink(world, projectRef(project), below.id, 30);
putMember(world, groupRef(top), guest.id, 10);

const list = (query = "", token = owner.token) =>
  world.call("GET", `/groups/${top.id}/billable_members`, { query, token });
const names = async (query: string) => (await list(query)).body.map(({ username }: Json) => username);

describe("a billable member", () => {
  test("is any member of the hierarchy and of groups invited to it, except guests", async () => {
    const { status, body, headers } = await list();
    expect(status).toBe(200);
    expect(headers.get("x-total")).toBe("5");
    expect(body.map(({ id, membership_type, removable }: Json) => [id, membership_type, removable])).toEqual([
      [owner.id, "group_member", true],
      [sub.id, "group_member", true],
      [inProject.id, "project_member", true],
      [invited.id, "group_invite", false],
      [invitedBelow.id, "project_invite", false],
    ]);
    expect(body[0]).toEqual({
      id: owner.id,
      username: "olga",
      name: "Olga",
      state: "active",
      locked: false,
      avatar_url: expect.any(String),
      web_url: `${world.origin}/olga`,
      email: null,
      last_activity_on: world.clock.day(),
      membership_type: "group_member",
      removable: true,
      created_at: owner.record.created_at,
      is_last_owner: true,
      last_login_at: null,
    });
    expect((await list("", rootToken)).body[0].email).toBe(owner.email);
  });

  test("is active and human, and not expired", async () => {
    const other = putGroup(world);
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => world.user()));
    const [blocked, bot, over, waiting, minimal] = users as [Json, Json, Json, Json, Json];
    world.alter(blocked.id, { state: "blocked" });
    world.alter(bot.id, { user_type: "project_bot" });
    for (const { id } of [blocked, bot]) putMember(world, groupRef(other), id, 40);
    putMember(world, groupRef(other), over.id, 40, { expires_at: world.clock.day() });
    putMember(world, groupRef(other), waiting.id, 40, { state: "awaiting" });
    putMember(world, groupRef(other), minimal.id, 5);
    const { body } = await world.get(`/groups/${other.id}/billable_members`);
    expect(body).toEqual([]);
  });

  test("is found by part of name or username, or by the public address", async () => {
    world.alter(invited.id, { public_email: invited.email });
    expect(await names("search=OLG")).toEqual(["olga"]);
    expect(await names("search=sven")).toEqual(["sven"]);
    expect(await names(`search=${invited.email}`)).toEqual(["ivan"]);
    expect(await names(`search=${sub.email}`)).toEqual([]);
    expect(await names("per_page=2&page=2")).toEqual(["pia", "ivan"]);
  });

  test("is listed in ten orders", async () => {
    world.alter(owner.id, { current_sign_in_at: "2025-01-02T00:00:00.000Z" });
    world.alter(sub.id, { last_activity_on: "2025-01-01", current_sign_in_at: "2025-01-03T00:00:00.000Z" });
    for (const { id } of [inProject, invited, invitedBelow]) world.alter(id, { last_activity_on: null });
    expect(await names("sort=name_asc")).toEqual(["sven", "ines", "ivan", "olga", "pia"]);
    expect(await names("sort=name_desc")).toEqual(["pia", "olga", "ivan", "ines", "sven"]);
    expect(await names("sort=access_level_asc")).toEqual(["ivan", "sven", "ines", "pia", "olga"]);
    expect(await names("sort=access_level_desc")).toEqual(["olga", "pia", "ines", "sven", "ivan"]);
    expect(await names("sort=oldest_joined")).toEqual(["olga", "pia", "sven", "ivan", "ines"]);
    expect(await names("sort=last_joined")).toEqual(["ines", "ivan", "sven", "pia", "olga"]);
    const idle = ["pia", "ivan", "ines"];
    // Asking is activity: the owner was active today.
    expect(await names("sort=last_activity_on_desc")).toEqual(["olga", "sven", ...idle]);
    expect(await names("sort=last_activity_on_asc")).toEqual([...idle, "sven", "olga"]);
    expect(await names("sort=recent_sign_in")).toEqual(["sven", "olga", ...idle]);
    expect(await names("sort=oldest_sign_in")).toEqual([...idle, "olga", "sven"]);
    const wrong = await list("sort=shoe_size");
    expect([wrong.status, wrong.body.error]).toEqual([400, "sort does not have a valid value"]);
  });

  test("follows every change", async () => {
    const late = await world.user();
    putMember(world, projectRef(project), late.id, 20);
    expect((await list()).headers.get("x-total")).toBe("6");
    world.alter(late.id, { state: "blocked" });
    expect((await list()).headers.get("x-total")).toBe("5");
    world.alter(late.id, { state: "active" });
    await world.call("DELETE", `/projects/${project.id}/members/${late.id}`, { token: rootToken });
    expect((await list()).headers.get("x-total")).toBe("5");
  });
});

describe("the memberships of a billable member", () => {
  const of = (id: number, kind: string, token = owner.token) =>
    world.call("GET", `/groups/${top.id}/billable_members/${id}/${kind}`, { token });

  test("are the direct ones in the hierarchy", async () => {
    const elsewhere = putGroup(world);
    putMember(world, groupRef(elsewhere), inProject.id, 50);
    expect((await of(inProject.id, "memberships")).body).toEqual([
      {
        id: rowInProject.id,
        source_id: project.id,
        source_full_name: "Top / Sub / Proj",
        source_members_url: `${world.origin}/top/sub/proj/-/project_members`,
        created_at: world.clock.time(1),
        expires_at: world.clock.day(5),
        access_level: { string_value: "Maintainer", integer_value: 40 },
      },
    ]);
    expect((await of(sub.id, "memberships")).body).toMatchObject([
      {
        id: rowOfSub.id,
        source_full_name: "Top / Sub",
        source_members_url: `${world.origin}/groups/top/sub/-/group_members`,
        expires_at: null,
      },
    ]);
    expect((await of(invited.id, "memberships")).body).toEqual([]);
  });

  test("that are indirect are those in groups invited to the top-level group, hidden ones too", async () => {
    expect((await of(invited.id, "indirect")).body).toMatchObject([{ id: rowOfInvited.id, source_full_name: "Crew" }]);
    expect((await of(invitedBelow.id, "indirect")).body).toEqual([]);
    expect((await of(owner.id, "indirect")).body).toEqual([]);
  });

  test("of other users are 404", async () => {
    for (const kind of ["memberships", "indirect"]) {
      expect((await of(987654, kind)).body).toEqual({ message: "404 Not found" });
      expect((await of(guest.id, kind)).body).toEqual({ message: "404 User Not Found" });
      expect((await of(owner.id, kind, sub.token)).body).toEqual({ message: "400 Bad request" });
      expect((await world.get(`/groups/${top.id}/billable_members/abc/${kind}`)).body.error).toBe("user_id is invalid");
    }
  });
});

describe("removing a billable member", () => {
  const remove = async (groupId: number, id: number, token = owner.token) => {
    const { status, body } = await world.call("DELETE", `/groups/${groupId}/billable_members/${id}`, { token });
    return [status, body];
  };

  test("ends every direct membership in the hierarchy", async () => {
    const other = putGroup(world);
    const user = await world.user();
    const inner = groupRef(putGroup(world, { parent_id: other.id }));
    putMember(world, inner, user.id, 30);
    putMember(world, projectRef(putProject(world, inner.id)), user.id, 30);
    putMember(world, groupRef(top), user.id, 30);
    const before = world.events().length;
    expect(await remove(other.id, user.id, rootToken)).toEqual([204, undefined]);
    expect(world.events(before).map(({ event_name }) => event_name)).toEqual(["member_destroyed", "member_destroyed"]);
    expect((await world.get(`/groups/${top.id}/members/${user.id}`)).status).toBe(200);
    expect(await remove(other.id, user.id, rootToken)).toEqual([
      400,
      { message: "400 Bad request - No member found for the given user_id" },
    ]);
  });

  test("keeps the last owner", async () => {
    expect((await remove(top.id, owner.id))[0]).toBe(204);
    expect((await world.get(`/groups/${top.id}/members/${owner.id}`)).body.access_level).toBe(50);
    expect(rowOfOwner.user_id).toBe(owner.id);
  });

  test("is for owners, and in top-level groups", async () => {
    expect(await remove(subgroup.id, sub.id)).toEqual([
      400,
      { message: "400 Bad request - Invalid group provided, must be top-level" },
    ]);
    expect(await remove(top.id, sub.id, sub.token)).toEqual([
      400,
      { message: "400 Bad request - User unauthorized to remove member" },
    ]);
  });
});

test("all but owners of top-level groups get a 400, or a 404 for the group", async () => {
  const hidden = putGroup(world);
  const bad = { message: "400 Bad request" };
  expect((await list("", sub.token)).body).toEqual(bad);
  expect((await world.get(`/groups/${subgroup.id}/billable_members`)).body).toEqual(bad);
  expect((await world.call("GET", `/groups/${hidden.id}/billable_members`, { token: sub.token })).body).toEqual({
    message: "404 Group Not Found",
  });
  expect((await world.call("GET", `/groups/${top.id}/billable_members`)).body).toEqual({ message: "401 Unauthorized" });
});
