import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const address = "http://outpost.example";
const world = await startWorld({ externalUrl: address });
const { project, group, person, issue, epic } = await setTracker(world, "private");
const planner = await person(accessLevels.planner);
const other = await person(accessLevels.developer);
/** Plans the issues of the project, but not the epics of its group. */
const elsewhere = await person(accessLevels.planner, project);
const guest = await person(accessLevels.guest);
const pathOf = ({ iid }: Json, rest = "") => `/projects/${project.id}/issues/${iid}${rest}`;
const say = async (held: Json, body: string, token: string | undefined = planner.token) =>
  (await world.call("POST", pathOf(held, "/notes"), { token, json: { body } })).body.summary;
const shown = async (held: Json) => (await world.call("GET", pathOf(held), { token: rootToken })).body;
const systemNotes = async (held: Json) =>
  (await world.call("GET", pathOf(held, "/notes"), { token: rootToken, query: { sort: "asc" } })).body
    .filter(({ system }: Json) => system)
    .map(({ body }: Json) => body);

test("/reassign replaces the assignees, and leaves out who may not be one", async () => {
  const held = await issue({ assignee_ids: [other.id] });
  const stranger = await world.user();
  const argument = `@${planner.username} and @${stranger.username}`;
  expect(await say(held, `/reassign ${argument}`)).toEqual(["Changed assignees."]);
  expect((await shown(held)).assignees.map(({ id }: Json) => id)).toEqual([planner.id]);
  expect(await say(held, "/reassign me", guest.token)).toEqual(["Could not apply reassign command."]);
});

test("/epic and /remove_epic move an issue", async () => {
  const held = await issue();
  const [one, two] = [await epic(), await epic()];
  expect(await say(held, `/epic &${one.iid}`)).toEqual(["Added an issue to an epic."]);
  expect((await shown(held)).epic.id).toBe(one.id);
  const again = `Issue #${held.iid} has already been added to epic &${one.iid}.`;
  expect(await say(held, `/epic ${group.path}&${one.iid}`)).toEqual([again]);
  expect(await say(held, `/epic ${address}/groups/${group.path}/-/epics/${two.iid}`)).toEqual([
    "Added an issue to an epic.",
  ]);
  const listed = async ({ iid }: Json) =>
    (await world.call("GET", `/groups/${group.id}/epics/${iid}/issues`, { token: rootToken })).body.map(
      ({ id }: Json) => id,
    );
  expect([await listed(one), await listed(two)]).toEqual([[], [held.id]]);
  expect(await say(held, "/remove_epic", guest.token)).toEqual(["Could not apply remove_epic command."]);
  expect(await say(held, "/remove_epic")).toEqual(["Removed an issue from an epic."]);
  expect((await shown(held)).epic).toBeNull();
  expect(await say(held, "/remove_epic")).toEqual(["Could not apply remove_epic command."]);
});

test("/epic takes a new issue along, and no epic that its writer cannot see", async () => {
  const { iid, id } = await epic();
  expect((await issue({ description: `Squeaks\n/epic &${iid}` })).epic.id).toBe(id);
  const { group: makeGroup } = placesOf(world);
  const far = makeGroup({ path: "far", visibility: "private" });
  const hidden = await epic({}, { groupId: far.id });
  const held = await issue();
  const missing = ["This epic does not exist or you don't have sufficient permission."];
  expect(await say(held, `/epic far&${hidden.iid}`)).toEqual(missing);
  expect(await say(held, "/epic &4711")).toEqual(missing);
  expect(await say(held, "/epic nonsense")).toEqual(missing);
  expect((await shown(held)).epic).toBeNull();
});

test("/promote makes an epic of an issue, once", async () => {
  const label = { name: "noisy", color: "#112233" };
  await world.call("POST", `/groups/${group.id}/labels`, { token: rootToken, json: label });
  const above = await epic();
  const held = await issue({ description: "Both of them", confidential: true, labels: "noisy,only-here" });
  await say(held, `/epic &${above.iid}`);
  await say(held, "Oil them");
  expect(await say(held, "/promote", elsewhere.token)).toEqual(["Could not apply promote command."]);
  expect(await say(held, "/promote")).toEqual(["Promoted issue to an epic."]);
  expect((await shown(held)).state).toBe("closed");
  const made = (await world.call("GET", `/groups/${group.id}/epics`, { token: rootToken })).body[0];
  expect(made).toMatchObject({
    ...{ title: held.title, description: "Both of them", confidential: true, labels: ["noisy"], state: "opened" },
    ...{ parent_id: above.id, author: { id: planner.id } },
  });
  expect((await systemNotes(held)).at(-1)).toBe(`promoted to epic &${made.iid}`);
  const written = [...world.store.of(notes).by.noteable.find(`Epic ${made.id}`)].map(
    (id) => world.store.of(notes).get(id)?.body,
  );
  expect(written).toContain("Oil them");
  expect(written.at(-1)).toBe(`promoted from issue ${group.path}/van#${held.iid}`);
  await say(held, "/reopen");
  expect(await say(held, "/promote")).toEqual(["Could not apply promote command."]);
});

test("/health_status and /clear_health_status change the health of an issue", async () => {
  const held = await issue();
  expect(await say(held, "/clear_health_status")).toEqual(["Could not apply clear_health_status command."]);
  expect(await say(held, "/health_status at_risk")).toEqual(["Set health status to at_risk."]);
  expect((await shown(held)).health_status).toBe("at_risk");
  await say(held, "/health_status on_track");
  const { status } = await world.call("POST", pathOf(held, "/notes"), {
    token: planner.token,
    json: { body: "/health_status splendid" },
  });
  expect(status).toBe(400);
  expect(await say(held, "/clear_health_status")).toEqual(["Cleared health status."]);
  expect((await shown(held)).health_status).toBeNull();
  expect(await systemNotes(held)).toEqual([
    "changed health status to **at risk**",
    "changed health status to **on track**",
    "removed health status **on track**",
  ]);
});

test.each([
  ["community", ["epic", "promote", "weight", "health_status"]],
  ["premium", ["health_status"]],
] as const)("%s has not the actions of higher editions", async (edition, refused) => {
  const lower = await startWorld({ edition });
  const { project: place, issue: make } = await setTracker(lower);
  const held = await make();
  for (const name of refused) {
    const json = { body: `/${name} on_track` };
    const { body } = await lower.call("POST", `/projects/${place.id}/issues/${held.iid}/notes`, {
      token: rootToken,
      json,
    });
    expect(body.summary).toEqual([`Could not apply ${name} command.`]);
  }
});
