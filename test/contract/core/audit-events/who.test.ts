import { describe, expect, test } from "bun:test";
import { type AccessLevel, accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { recorderOf } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const record = recorderOf(world);
const top = places.group({ path: "top" });
const group = places.group({ path: "bank", parent_id: top.id });
const project = places.project(group.id, { path: "ledger" });
const other = { group: places.group({ path: "other" }), project: places.project(group.id, { path: "other" }) };
const open = places.group({ path: "open", visibility: "public" });
const openProject = places.project(open.id, { path: "open", visibility: "internal" });

const author = await world.user();
const members: Record<string, Person> = {};
for (const role of ["guest", "planner", "reporter", "developer", "maintainer", "owner"] as const) {
  const person = await world.user({ username: role });
  members[role] = person;
  places.member(top, person.id, accessLevels[role] as AccessLevel);
}
const stranger = await world.user({ username: "stranger" });
const boss = await world.user({ username: "boss", admin: true });
const people: Record<string, Person> = { ...members, administrator: boss };

const sources = {
  group: { type: "Group", id: group.id, path: `/groups/${group.id}/audit_events` },
  project: { type: "Project", id: project.id, path: `/projects/${project.id}/audit_events` },
} as const;
/** Event ids: by the author, and by each person. */
const written = {
  group: writeEvents("group"),
  project: writeEvents("project"),
};

function writeEvents(kind: "group" | "project") {
  const { type, id } = sources[kind];
  const own = Object.fromEntries(Object.entries(people).map(([name, person]) => [name, record(person, type, id)]));
  return { others: record(author, type, id), own };
}

const elsewhere = {
  group: record(author, "Group", other.group.id),
  subgroup: record(author, "Group", top.id),
  project: record(author, "Project", other.project.id),
  sameIdOfAnotherType: record(author, "User", group.id),
};

const idsOf = (body: readonly { id: number }[]) => body.map(({ id }) => id);
const newestFirst = (ids: readonly number[]) => [...ids].sort((a, b) => b - a);

describe.each(["group", "project"] as const)("events of a %s", (kind) => {
  const { path } = sources[kind];
  const { others, own } = written[kind];
  const all = newestFirst([others, ...Object.values(own)]);
  const seesAll = kind === "group" ? ["owner", "administrator"] : ["maintainer", "owner", "administrator"];
  const seesOwn = kind === "group" ? ["developer", "maintainer"] : ["developer"];

  test.each(seesAll)("%s: sees all of the source itself, nothing from above, below or beside", async (name) => {
    const { status, body } = await world.call("GET", path, { token: people[name]?.token });
    expect([status, idsOf(body)]).toEqual([200, all]);
    for (const id of all) {
      expect((await world.call("GET", `${path}/${id}`, { token: people[name]?.token })).body.id).toBe(id);
    }
  });

  test.each(seesOwn)("%s: sees own acts only, also in the total; those of others are 404", async (name) => {
    const { status, body, headers } = await world.call("GET", path, { token: people[name]?.token });
    expect([status, idsOf(body), headers.get("x-total")]).toEqual([200, [own[name] as number], "1"]);
    const mine = await world.call("GET", `${path}/${own[name]}`, { token: people[name]?.token });
    const theirs = await world.call("GET", `${path}/${others}`, { token: people[name]?.token });
    expect([mine.status, mine.body]).toEqual([200, body[0]]);
    expect([theirs.status, theirs.body]).toEqual([404, { message: "404 Not found" }]);
  });

  test.each(["guest", "planner", "reporter"])("%s: sees nothing, not even own acts", async (name) => {
    for (const each of [path, `${path}/${own[name]}`, `${path}/${others}`]) {
      const { status, body } = await world.call("GET", each, { token: people[name]?.token });
      expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
    }
  });

  test("a caller who cannot see the source gets 404", async () => {
    const message = kind === "group" ? "404 Group Not Found" : "404 Project Not Found";
    for (const each of [path, `${path}/${others}`]) {
      const { status, body } = await world.call("GET", each, { token: stranger.token });
      expect([status, body]).toEqual([404, { message }]);
    }
  });

  test("a caller who sees it and is no member is refused", async () => {
    const visible = kind === "group" ? `/groups/${open.id}` : `/projects/${openProject.id}`;
    for (const each of [`${visible}/audit_events`, `${visible}/audit_events/${others}`]) {
      const { status, body } = await world.call("GET", each, { token: stranger.token });
      expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
    }
  });

  test("an anonymous caller and an invalid token get 401", async () => {
    for (const token of [undefined, "opx-00000000000000000000"]) {
      for (const each of [path, `${path}/${others}`]) {
        const { status, body } = await world.call("GET", each, { token });
        expect([status, body]).toEqual([401, { message: "401 Unauthorized" }]);
      }
    }
  });

  test("an event of another source is 404", async () => {
    for (const id of [...Object.values(elsewhere), written[kind === "group" ? "project" : "group"].others, 987654]) {
      const { status, body } = await world.get(`${path}/${id}`);
      expect([status, body]).toEqual([404, { message: "404 Not found" }]);
    }
  });

  test("a text that is no number is no id", async () => {
    const { status, body } = await world.get(`${path}/last`);
    expect([status, body.error]).toEqual([400, "audit_event_id is invalid"]);
  });

  test("they are read-only", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await world.call(method, path, { token: rootToken })).status).toBe(405);
      expect((await world.call(method, `${path}/${others}`, { token: rootToken })).status).toBe(405);
    }
  });
});

describe("events of the instance", () => {
  test("have every scope, and are for administrators", async () => {
    const { body } = await world.get("/audit_events", { query: { per_page: 4 } });
    expect(idsOf(body)).toEqual(newestFirst(Object.values(elsewhere)));
    expect((await world.get(`/audit_events/${written.project.others}`)).body).toMatchObject({
      entity_type: "Project",
      entity_id: project.id,
      author_id: author.id,
    });
  });

  test.each(["/audit_events", "/audit_events/1", "/audit_events?created_after=never", "/audit_events/one"])(
    "%s is refused to other callers before its parameters are checked",
    async (path) => {
      expect(await world.call("GET", path)).toMatchObject({ status: 401, body: { message: "401 Unauthorized" } });
      for (const { token } of [...Object.values(members), stranger]) {
        expect(await world.call("GET", path, { token })).toMatchObject({
          status: 403,
          body: { message: "403 Forbidden" },
        });
      }
    },
  );

  test("an unknown one is 404, and a text that is no number is no id", async () => {
    expect(await world.get("/audit_events/987654")).toMatchObject({ status: 404, body: { message: "404 Not found" } });
    expect(await world.get("/audit_events/one")).toMatchObject({ status: 400, body: { error: "id is invalid" } });
  });
});

test("with sudo, the author is the impersonated user", async () => {
  const before = world.events().length;
  await world.call("PUT", `/groups/${top.id}`, {
    token: boss.token,
    query: { sudo: "owner" },
    json: { description: "sudone" },
  });
  expect(world.events(before)).toEqual([
    expect.objectContaining({ event_name: "group_description_updated", author_id: members.owner?.id }),
  ]);
});

test("an event outlives its entity", async () => {
  const going = places.project(group.id, { path: "going" });
  const id = record(author, "Project", going.id);
  await world.call("DELETE", `/projects/${going.id}`, { token: rootToken });
  await world.jobsDone();
  expect((await world.get(`/audit_events/${id}`)).body).toMatchObject({ id, entity_id: going.id });
});

describe("community", async () => {
  const lower = await startWorld({ edition: "community" });
  const lowerPlaces = placesOf(lower);
  const owner = await lower.user();
  const bank = lowerPlaces.group({ path: "bank" });
  const ledger = lowerPlaces.project(bank.id, { path: "ledger" });
  lowerPlaces.member(bank, owner.id, accessLevels.owner);
  const id = recorderOf(lower)(owner, "Group", bank.id);

  test.each([
    "/audit_events",
    `/audit_events/${id}`,
    `/groups/${bank.id}/audit_events`,
    `/groups/${bank.id}/audit_events/${id}`,
    `/projects/${ledger.id}/audit_events`,
    `/projects/${ledger.id}/audit_events/${id}`,
  ])("%s is refused to all who could read it in other editions, and the events are written", async (path) => {
    for (const token of [rootToken, owner.token]) {
      expect(await lower.call("GET", path, { token })).toMatchObject({
        status: 403,
        body: { message: "403 Forbidden" },
      });
    }
    expect((await lower.call("GET", path)).status).toBe(401);
    expect(lower.events().at(-1)?.id).toBe(id);
  });
});
