import { expect, test } from "bun:test";
import { memberships } from "../../../src/modules/members/members/records.ts";
import { makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Person, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const other = await world.user();

const remove = (person: Person, hard_delete = false) =>
  world.call("DELETE", `/users/${person.id}`, { token: rootToken, query: { hard_delete } });

test("the sole owner of a group is not deleted softly", async () => {
  const owner = await world.user();
  const group = await makeGroup(world, { path: "alone" }, owner.token);
  places.member(group, other.id, 40);
  const { status, body } = await remove(owner);
  expect({ status, body }).toEqual({
    status: 409,
    body: { message: "User cannot be removed while is the sole-owner of a group" },
  });
  expect((await world.get(`/users/${owner.id}`)).status).toBe(200);
  places.member(group, (await world.user()).id, 50);
  expect((await remove(owner)).status).toBe(204);
  expect((await world.get(`/groups/${group.id}`)).status).toBe(200);
});

test("a hard deletion deletes the groups that only this user owns", async () => {
  const owner = await world.user();
  const alone = await makeGroup(world, { path: "goes" }, owner.token);
  const sub = await makeGroup(world, { path: "sub", parent_id: alone.id }, owner.token);
  const shared = await makeGroup(world, { path: "stays" }, owner.token);
  places.member(shared, other.id, 50);
  expect((await remove(owner, true)).status).toBe(204);
  for (const { id } of [alone, sub]) expect((await world.get(`/groups/${id}`)).status).toBe(404);
  expect((await world.get(`/groups/${shared.id}`)).status).toBe(200);
  await world.jobsDone();
  expect(world.store.of(memberships).by.user_id.find(owner.id).size).toBe(0);
});

test("a group deleted with its owner has one event, with its path", async () => {
  const owner = await world.user();
  const alone = await makeGroup(world, { path: "told" }, owner.token);
  await makeGroup(world, { path: "below", parent_id: alone.id }, owner.token);
  const before = world.events().length;
  await remove(owner, true);
  const destroyed = world.events(before).filter(({ event_name }) => event_name === "group_destroyed");
  expect(destroyed.map(({ details }) => details.entity_path)).toEqual(["told"]);
});

test("a subgroup below a group with other owners has several owners", async () => {
  const owner = await world.user();
  const parent = await makeGroup(world, { path: "parent" });
  const sub = places.group({ parent_id: parent.id });
  places.member(sub, owner.id, 50);
  expect((await remove(owner, true)).status).toBe(204);
  expect((await world.get(`/groups/${sub.id}`)).status).toBe(200);
});

test("bots and expired owners do not count as other owners", async () => {
  const owner = await world.user();
  const group = await makeGroup(world, { path: "with-a-bot" }, owner.token);
  const bot = await world.user();
  world.alter(bot.id, { user_type: "project_bot" });
  places.member(group, bot.id, 50);
  places.member(group, other.id, 50, { expires_at: "2001-01-01" });
  expect((await remove(owner)).status).toBe(409);
});
