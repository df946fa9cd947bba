import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { group, person, epic } = await setTracker(world, "public");
const { group: makeGroup, member } = placesOf(world);
const planner = await person(accessLevels.planner);
const stranger = await world.user();
const below = makeGroup({ parent_id: group.id, path: "below", visibility: "public" });
const hidden = makeGroup({ parent_id: group.id, path: "hidden", visibility: "private" });

const later = async (attributes: Json, options = {}): Promise<Json> => {
  world.clock.advance(60_000);
  return await epic(attributes, options);
};
const brakes = await later({ title: "Brakes", labels: "safe,round", description: "Stop in time" });
const axles = await later({ title: "axles", labels: "round" }, { token: planner.token });
const cabin = await later({ title: "Cabin", confidential: true });
const doors = await later({ title: "Doors" }, { groupId: below.id });
const engine = await later({ title: "Engine" }, { groupId: hidden.id });
await world.call("PUT", `/groups/${group.id}/epics/${brakes.iid}`, {
  token: planner.token,
  json: { state_event: "close" },
});

async function titles(query: Json = {}, { token = planner.token, of = group.id } = {}): Promise<string[]> {
  const { status, body, text } = await world.call("GET", `/groups/${of}/epics`, { token, query });
  if (status !== 200) throw new Error(text);
  return body.map(({ title }: Json) => title);
}

describe("the list", () => {
  test("has the group's epics and those below, the newest first, with all fields but `subscribed`", async () => {
    expect(await titles()).toEqual(["Engine", "Doors", "Cabin", "axles", "Brakes"]);
    const { body } = await world.call("GET", `/groups/${group.id}/epics`, { token: planner.token });
    const { body: single } = await world.call("GET", `/groups/${group.id}/epics/${axles.iid}`, {
      token: planner.token,
    });
    const { subscribed, ...listed } = single;
    expect(subscribed).toBe(true);
    expect(body[3]).toEqual(listed);
  });

  test("has epics that the caller can see", async () => {
    expect(await titles({}, { token: stranger.token })).toEqual(["Doors", "axles", "Brakes"]);
    const guest = await person(accessLevels.guest);
    expect(await titles({}, { token: guest.token })).toEqual(["Engine", "Doors", "axles", "Brakes"]);
    expect((await world.call("GET", `/groups/${group.id}/epics`)).status).toBe(401);
    const refused = await world.call("GET", `/groups/${hidden.id}/epics`, { token: stranger.token });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 404,
      body: { message: "404 Group Not Found" },
    });
  });

  test("excludes groups below, and includes those above, on request", async () => {
    expect(await titles({ include_descendant_groups: false })).toEqual(["Cabin", "axles", "Brakes"]);
    expect(await titles({}, { of: below.id })).toEqual(["Doors"]);
    const around = { include_ancestor_groups: true };
    expect(await titles(around, { of: below.id })).toEqual(["Doors", "Cabin", "axles", "Brakes"]);
    expect(await titles(around, { of: below.id, token: stranger.token })).toEqual(["Doors", "axles", "Brakes"]);
  });

  test("has references relative to the group of the request", async () => {
    const relative = async (of: number) => {
      const query = { include_ancestor_groups: true };
      const { body } = await world.call("GET", `/groups/${of}/epics`, { token: planner.token, query });
      return Object.fromEntries(body.map(({ title, references }: Json) => [title, references.relative]));
    };
    expect(await relative(group.id)).toMatchObject({ axles: `&${axles.iid}`, Doors: `below&${doors.iid}` });
    expect(await relative(below.id)).toEqual({
      Doors: `&${doors.iid}`,
      Cabin: `tracked-public&${cabin.iid}`,
      axles: `tracked-public&${axles.iid}`,
      Brakes: `tracked-public&${brakes.iid}`,
    });
  });

  test("has pages", async () => {
    const query = { per_page: 2, page: 2 };
    const { headers } = await world.call("GET", `/groups/${group.id}/epics`, { token: planner.token, query });
    expect([headers.get("x-total"), headers.get("x-total-pages"), headers.get("x-next-page")]).toEqual(["5", "3", "3"]);
    expect(await titles(query)).toEqual(["Cabin", "axles"]);
  });
});

const own = ["Cabin", "axles", "Brakes"];

test.each<[Json, string[]]>([
  [{ order_by: "created_at", sort: "asc" }, ["Brakes", "axles", "Cabin", "Doors", "Engine"]],
  [{ order_by: "title", sort: "asc" }, ["axles", "Brakes", "Cabin", "Doors", "Engine"]],
  [{ order_by: "title" }, ["Engine", "Doors", "Cabin", "Brakes", "axles"]],
  [{ order_by: "updated_at", sort: "asc" }, ["axles", "Cabin", "Doors", "Brakes", "Engine"]],
  [{ state: "opened" }, ["Engine", "Doors", "Cabin", "axles"]],
  [{ state: "closed" }, ["Brakes"]],
  [{ state: "all", include_descendant_groups: false }, own],
  [{ labels: "round" }, ["axles", "Brakes"]],
  [{ labels: "round,safe" }, ["Brakes"]],
  [{ labels: "none" }, ["Engine", "Doors", "Cabin"]],
  [{ labels: "Any" }, ["axles", "Brakes"]],
  [{ labels: "square" }, []],
  [{ search: "STOP" }, ["Brakes"]],
  [{ search: "x" }, ["axles"]],
  [{ search: '"in time" brake' }, ["Brakes"]],
  [{ search: "in brakes wheels" }, []],
  [{ author_id: planner.id }, ["axles"]],
  [{ author_username: planner.username.toUpperCase() }, ["axles"]],
  [{ author_username: "nobody" }, []],
  [{ created_after: axles.created_at, created_before: doors.created_at }, ["Doors", "Cabin", "axles"]],
  [{ updated_after: engine.updated_at }, ["Engine", "Brakes"]],
])("%j leaves the right ones in the right order", async (query, expected) => {
  expect(await titles(query)).toEqual(expected);
});

test("the list filters by the caller's reactions, not by those of others", async () => {
  world.store.transact((tx) => {
    const reaction = { awardable_type: "Epic", awardable_id: axles.id, name: "thumbsup" } as const;
    const now = world.clock.time();
    const times = { created_at: now, updated_at: now };
    tx.insert(awardEmoji, { id: tx.nextId("award_emoji"), ...reaction, user_id: planner.id, ...times });
  });
  expect(await titles({ my_reaction_emoji: "thumbsup" })).toEqual(["axles"]);
  expect(await titles({ my_reaction_emoji: "+1" })).toEqual(["axles"]);
  expect(await titles({ my_reaction_emoji: "star" })).toEqual([]);
  expect(await titles({ my_reaction_emoji: "Any" })).toEqual(["axles"]);
  expect(await titles({ my_reaction_emoji: "None" })).toEqual(["Engine", "Doors", "Cabin", "Brakes"]);
  expect(await titles({ my_reaction_emoji: "Any" }, { token: stranger.token })).toEqual([]);
});

test.each([
  [{ order_by: "id" }, "order_by does not have a valid value"],
  [{ sort: "up" }, "sort does not have a valid value"],
  [{ state: "open" }, "state does not have a valid value"],
  [{ author_id: "x" }, "author_id is invalid"],
  [{ created_after: "x" }, "created_after is invalid"],
  [{ author_id: 1, author_username: "x" }, "author_id, author_username are mutually exclusive"],
])("%j is refused", async (query, error) => {
  const { status, body } = await world.call("GET", `/groups/${group.id}/epics`, { token: planner.token, query });
  expect({ status, error: body.error }).toEqual({ status: 400, error });
});

test("the community edition has no epics, premium has", async () => {
  const statusIn = async (edition: "community" | "premium") => {
    const other = await startWorld({ edition });
    const place = placesOf(other).group({ path: "place", visibility: "public" });
    const ann = await other.user();
    placesOf(other).member(place, ann.id, accessLevels.owner);
    const base = `/groups/${place.id}/epics`;
    const calls = [
      ["GET", base],
      ["POST", base, { title: "x" }],
      ["GET", `${base}/1`],
      ["PUT", `${base}/1`, { title: "x" }],
      ["GET", `${base}/1/issues`],
      ["POST", `${base}/1/issues/1`],
      ["PUT", `${base}/1/issues/1`],
      ["DELETE", `${base}/1/issues/1`],
      ["DELETE", `${base}/1`],
    ] as const;
    const statuses: number[] = [];
    for (const [method, path, json] of calls) {
      statuses.push((await other.call(method, path, { token: ann.token, json })).status);
    }
    return statuses;
  };
  expect(new Set(await statusIn("community"))).toEqual(new Set([403]));
  expect(await statusIn("premium")).toEqual([200, 201, 200, 200, 200, 404, 404, 404, 204]);
});

test("members of a group below see only its epics", async () => {
  const { id, token } = await world.user();
  member(hidden, id, accessLevels.guest);
  expect(await titles({}, { token })).toEqual(["Engine", "Doors", "axles", "Brakes"]);
  expect(await titles({}, { token, of: hidden.id })).toEqual(["Engine"]);
});
