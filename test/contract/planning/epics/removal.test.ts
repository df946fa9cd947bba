import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { epics } from "../../../../src/modules/planning/epics/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { group, project, person, epic, issue } = await setTracker(world);

const leave = (id: number, hard_delete: boolean) =>
  world.call("DELETE", `/users/${id}`, { token: rootToken, query: { hard_delete } });

test("a soft deletion of their author gives epics to the ghost", async () => {
  const { id, token } = await person(accessLevels.planner);
  const { iid } = await epic({}, { token });
  await leave(id, false);
  expect((await world.get(`/groups/${group.id}/epics/${iid}`)).body.author.name).toBe("Ghost User");
});

test("a hard deletion of their author deletes epics, and unlinks their issues", async () => {
  const { id, token } = await person(accessLevels.planner);
  const made = await epic({}, { token });
  const held = await issue({ epic_id: made.id });
  expect(held.epic_iid).toBe(made.iid);
  await leave(id, true);
  expect((await world.get(`/groups/${group.id}/epics/${made.iid}`)).status).toBe(404);
  expect((await world.get(`/projects/${project.id}/issues/${held.iid}`)).body.epic).toBe(null);
});

test("a deleted group takes its epics with it, and unlinks issues elsewhere", async () => {
  const parent = placesOf(world).group({ path: "parent", visibility: "private" });
  const child = placesOf(world).group({ path: "child", parent_id: parent.id, visibility: "private" });
  const made: Json[] = [];
  for (let at = 0; at < 60; at += 1) made.push(await epic({}, { groupId: at % 2 === 0 ? parent.id : child.id }));
  const below = await epic({ parent_id: made[0].id });
  const held = await issue({ epic_id: made[1].id });
  await world.call("DELETE", `/groups/${parent.id}`, { token: rootToken });
  await world.jobsDone();
  expect(made.map(({ id }) => world.store.of(epics).get(id))).toEqual(made.map(() => undefined));
  expect((await world.get(`/groups/${group.id}/epics/${below.iid}`)).body.parent_id).toBe(null);
  expect((await world.get(`/projects/${project.id}/issues/${held.iid}`)).body.epic).toBe(null);
});
