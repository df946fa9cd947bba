import { describe, expect, test } from "bun:test";
import type { SourceRef } from "../../../../src/domain/source.ts";
import { updateGroupRecord } from "../../../../src/modules/core/namespaces/index.ts";
import { groupLinks } from "../../../../src/modules/groups-and-projects/shares/records.ts";
import { accessRequests } from "../../../../src/modules/members/access-requests/records.ts";
import { memberships } from "../../../../src/modules/members/members/records.ts";
import { groupRef, projectRef, putGroup, putMember, putProject, putRequest } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { putTeam } from "../../../support/planning/team.ts";

const world = await startWorld();
const group = putGroup(world, { name: "The Top", path: "the-top", visibility: "public" });
const project = putProject(world, group.id, { visibility: "public" });
const team = await putTeam(world, groupRef(group), ["developer", "maintainer", "owner"]);
const stranger = await world.user();

const add = (source: SourceRef, json: unknown, token = rootToken) =>
  world.call("POST", `/${source.type}s/${source.id}/members`, { token, json });
const outcome = async (...given: Parameters<typeof add>) => {
  const { status, body } = await add(...given);
  return [status, body];
};
const fresh = async () => (await world.user()).id;
const errors = (attributes: object) => [400, { message: attributes }];

for (const source of [groupRef(group), projectRef(project)]) {
  const { type } = source;
  describe(`adding to a ${type}`, () => {
    test("answers with the member, and names the caller as the adder", async () => {
      const user = await world.user();
      const { status, body } = await add(source, {
        user_id: user.id,
        access_level: 30,
        expires_at: `${world.clock.day(3)}T10:00:00Z`,
        invite_source: "somewhere",
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        id: user.id,
        access_level: 30,
        expires_at: world.clock.day(3),
        created_at: world.clock.time(),
        created_by: { username: "root" },
        membership_state: "active",
      });
      const json = {
        username: (await world.user({ username: `Mixed${type}` })).username.toUpperCase(),
        access_level: "20",
      };
      expect((await add(source, json)).body.access_level).toBe(20);
    });

    test("gives access at once", async () => {
      const hidden = putGroup(world);
      const inner = putProject(world, putGroup(world, { parent_id: hidden.id }).id);
      const user = await world.user();
      await add(type === "group" ? groupRef(hidden) : projectRef(inner), { user_id: user.id, access_level: 10 });
      expect((await world.call("GET", `/projects/${inner.id}/members`, { token: user.token })).status).toBe(200);
    });

    test("refuses missing, repeated and malformed parameters", async () => {
      const [status, body] = await outcome(source, { user_id: 1 });
      expect([status, body]).toEqual([
        400,
        { error: "access_level is missing", message: '400 (Bad request) "access_level" not given' },
      ]);
      const texts = {
        "user_id, username are mutually exclusive": { user_id: 1, username: "root" },
        "user_id, username are missing, at least one parameter must be provided": {},
        "user_id is invalid": { user_id: "abc" },
        "access_level is invalid": { user_id: 1, access_level: "high" },
        "expires_at is invalid": { user_id: 1, expires_at: "soon" },
      };
      for (const [error, json] of Object.entries(texts))
        expect((await add(source, { access_level: 30, ...json })).body.error).toBe(error);
    });

    test("checks parameters, source, user, membership, role and rules in this order", async () => {
      const unknown = { user_id: 987654, access_level: 30 };
      expect(await outcome({ type, id: 987654 }, unknown)).toEqual([
        404,
        { message: type === "group" ? "404 Group Not Found" : "404 Project Not Found" },
      ]);
      expect((await outcome({ type, id: 987654 }, { user_id: 1 }))[0]).toBe(400);
      expect(await outcome(source, unknown, stranger.token)).toEqual([404, { message: "404 User Not Found" }]);
      const member = await fresh();
      putMember(world, source, member, 10);
      const again = { user_id: member, access_level: 77 };
      expect(await outcome(source, again, stranger.token)).toEqual([409, { message: "Member already exists" }]);
      expect(await outcome(source, { user_id: await fresh(), access_level: 77 }, stranger.token)).toEqual([
        403,
        { message: "403 Forbidden" },
      ]);
      const noToken = await world.call("POST", `/${type}s/${source.id}/members`, { json: unknown });
      expect([noToken.status, noToken.body]).toEqual([401, { message: "401 Unauthorized" }]);
    });

    test("takes the levels of the list and no others", async () => {
      for (const level of [10, 15, 20, 30, 40, 50])
        expect((await add(source, { user_id: await fresh(), access_level: level })).status).toBe(201);
      for (const level of [0, 60, 7, -10])
        expect(await outcome(source, { user_id: await fresh(), access_level: level })).toEqual(
          errors({ access_level: ["is not included in the list"] }),
        );
    });

    test("accepts an expiry of today and no earlier one", async () => {
      const json = async (days: number) => ({
        user_id: await fresh(),
        access_level: 30,
        expires_at: world.clock.day(days),
      });
      expect(await outcome(source, await json(-1))).toEqual(errors({ expires_at: ["cannot be a date in the past"] }));
      expect((await add(source, await json(0))).status).toBe(201);
    });

    test("refuses bots and unknown roles", async () => {
      const bot = await fresh();
      world.alter(bot, { user_type: "project_bot" });
      expect(await outcome(source, { user_id: bot, access_level: 30 })).toEqual(
        errors({ user_id: ["project bots cannot be added to other groups / projects"] }),
      );
      const json = { user_id: await fresh(), access_level: 30, member_role_id: 5 };
      expect(await outcome(source, json)).toEqual(errors({ member_role: ["not found"] }));
    });

    test("fulfils an access request, and replaces an expired membership", async () => {
      const user = await fresh();
      putRequest(world, source, user);
      putMember(world, source, user, 50, { expires_at: world.clock.day() });
      const before = world.events().length;
      expect((await add(source, { user_id: user, access_level: 20 })).status).toBe(201);
      expect(world.store.of(accessRequests).by.user_id.find(user).size).toBe(0);
      expect(world.store.of(memberships).by.user_id.find(user).size).toBe(1);
      expect(world.events(before).map(({ event_name }) => event_name)).toEqual(["member_destroyed", "member_created"]);
    });

    test("of several users adds and changes those it can, and gives the reasons for the others", async () => {
      const [one, two] = [await world.user(), await world.user()];
      putMember(world, source, two.id, 10);
      expect(await outcome(source, { user_id: `${one.id},${two.id}`, access_level: 30 })).toEqual([
        201,
        { status: "success" },
      ]);
      const levelOf = async (id: number) => (await world.get(`/${type}s/${source.id}/members/${id}`)).body.access_level;
      expect([await levelOf(one.id), await levelOf(two.id)]).toEqual([30, 30]);
      const bot = await world.user();
      world.alter(bot.id, { user_type: "group_bot" });
      const three = await world.user();
      const names = `${three.username.toUpperCase()}, ${bot.username},no-such-user`;
      const [status, body] = await outcome(source, { username: names, access_level: 30 });
      expect([status, body.status, Object.keys(body.message).sort()]).toEqual([
        201,
        "error",
        ["no-such-user", bot.username].sort(),
      ]);
      expect(await levelOf(three.id)).toBe(30);
      expect(await outcome(source, { username: "__proto__,constructor", access_level: 30 })).toEqual([
        201,
        { status: "error", message: JSON.parse('{"__proto__":"User not found","constructor":"User not found"}') },
      ]);
      const many = Array.from({ length: 101 }, (_, at) => at + 1).join();
      expect(await outcome(source, { user_id: many, access_level: 30 })).toEqual([
        201,
        { status: "error", message: "Too many users specified (limit is 100)" },
      ]);
      expect((await add(source, { user_id: "1,2", access_level: 30 }, stranger.token)).status).toBe(403);
    });
  });
}

describe("adding members", () => {
  const give = async (source: SourceRef, token: string, access_level: number) =>
    (await add(source, { user_id: await fresh(), access_level }, token)).status;

  test("to a group is for its owners", async () => {
    const source = groupRef(group);
    expect(await give(source, team.developer.token, 10)).toBe(403);
    expect(await give(source, team.maintainer.token, 10)).toBe(403);
    expect(await give(source, team.owner.token, 50)).toBe(201);
  });

  test("to a project is for maintainers, who cannot add owners", async () => {
    const source = projectRef(project);
    expect(await give(source, team.developer.token, 10)).toBe(403);
    expect(await give(source, team.maintainer.token, 40)).toBe(201);
    expect(await give(source, team.maintainer.token, 50)).toBe(403);
    expect(await give(source, team.owner.token, 50)).toBe(201);
  });

  test("of a project in one request, a maintainer changes no owner", async () => {
    const inner = projectRef(putProject(world, group.id));
    const boss = await world.user();
    putMember(world, inner, boss.id, 50);
    const json = { user_id: `${boss.id},${await fresh()}`, access_level: 30 };
    const { body } = await add(inner, json, team.maintainer.token);
    expect(Object.keys(body.message)).toEqual([boss.username]);
  });
});

describe("adding below a group with members", () => {
  test("refuses a level below the inherited one, with the name of the group that gives it", async () => {
    const sub = putGroup(world, { parent_id: group.id });
    const below = projectRef(putProject(world, putGroup(world, { parent_id: group.id }).id));
    const text = "should be greater than or equal to Developer inherited membership from group The Top";
    for (const source of [groupRef(sub), below]) {
      expect(await outcome(source, { user_id: team.developer.id, access_level: 20 })).toEqual(
        errors({ access_level: [text] }),
      );
      expect((await add(source, { user_id: team.developer.id, access_level: 30 })).status).toBe(201);
    }
    const { body } = await add(groupRef(putGroup(world, { parent_id: group.id })), {
      user_id: `${team.developer.id},${await fresh()}`,
      access_level: 20,
    });
    expect(body).toEqual({ status: "error", message: { [team.developer.username]: `Access level ${text}` } });
  });

  test("gives minimal access in top-level groups only", async () => {
    expect((await add(groupRef(group), { user_id: await fresh(), access_level: 5 })).status).toBe(201);
    for (const source of [groupRef(putGroup(world, { parent_id: group.id })), projectRef(project)])
      expect(await outcome(source, { user_id: await fresh(), access_level: 5 })).toEqual(
        errors({ access_level: ["is not included in the list"] }),
      );
  });
});

test("a group that locks memberships refuses new members in its projects", async () => {
  const locked = putGroup(world);
  const inner = projectRef(putProject(world, putGroup(world, { parent_id: locked.id }).id));
  world.store.transact((tx) => updateGroupRecord(tx, world.store, { ...locked, settings: { membership_lock: true } }));
  const refusal = [405, { message: "405 Method Not Allowed" }];
  expect(await outcome(inner, { user_id: await fresh(), access_level: 77 })).toEqual(refusal);
  expect(await outcome(inner, { user_id: "1,2", access_level: 30 })).toEqual(refusal);
  expect((await add(groupRef(locked), { user_id: await fresh(), access_level: 30 })).status).toBe(201);

  const { id } = inner;
  const [maintainer, requester] = [await world.user(), await world.user()];
  putMember(world, inner, maintainer.id, 40);
  const own = projectRef(putProject(world, putGroup(world).id));
  putMember(world, own, maintainer.id, 40);
  putMember(world, own, await fresh(), 30);
  const send = async (method: string, path: string, token: string) => {
    const { status, body } = await world.call(method, `/projects/${id}${path}`, { token });
    return [status, body];
  };
  expect(await send("POST", `/import_project_members/${own.id}`, maintainer.token)).toEqual(refusal);
  putRequest(world, inner, requester.id);
  const approval = `/access_requests/${requester.id}/approve`;
  expect(await send("PUT", approval, maintainer.token)).toEqual(refusal);
  expect((await world.get(`/projects/${id}/members`)).body).toHaveLength(1);
  world.store.transact((tx) => updateGroupRecord(tx, world.store, { ...locked, settings: {} }));
  expect((await send("PUT", approval, maintainer.token))[0]).toBe(201);
  expect((await send("POST", `/import_project_members/${own.id}`, maintainer.token))[0]).toBe(201);
});

describe("importing the members of another project", () => {
  const from = putProject(world, group.id);
  const into = putProject(world, group.id);
  const bring = (token: string, target: number = into.id, source: number | string = from.id) =>
    world.call("POST", `/projects/${target}/import_project_members/${source}`, { token });

  test("adds all who are not members yet, with the caller's level at most", async () => {
    const [here, there, boss] = [await fresh(), await fresh(), await fresh()];
    putMember(world, projectRef(from), here, 40);
    putMember(world, projectRef(into), here, 10);
    putMember(world, projectRef(from), there, 20, { expires_at: world.clock.day(2) });
    putMember(world, projectRef(from), boss, 50);
    const { status, body } = await bring(team.maintainer.token);
    expect([status, body]).toEqual([201, { status: "success" }]);
    const members = (await world.get(`/projects/${into.id}/members`)).body;
    const entries = members.map((each: Record<string, unknown>) => [each.id, each.access_level, each.expires_at]);
    expect(entries).toEqual([
      [here, 10, null],
      [there, 20, world.clock.day(2)],
      [boss, 40, null],
    ]);
  });

  test("is for maintainers of both", async () => {
    const own = putProject(world, putGroup(world).id, { visibility: "public" });
    putMember(world, projectRef(own), team.developer.id, 40);
    const refusal = { message: "403 Forbidden - Project" };
    expect((await bring(team.developer.token)).body).toEqual(refusal);
    expect((await bring(team.developer.token, own.id, from.id)).body).toEqual(refusal);
    expect((await bring(team.maintainer.token, into.id, 987654)).body).toEqual({ message: "404 Project Not Found" });
    expect((await bring(team.maintainer.token, into.id, into.id)).status).toBe(422);
  });
});

test("a refused request leaves nothing", () => {
  expect(world.store.of(groupLinks).size).toBe(0);
});
