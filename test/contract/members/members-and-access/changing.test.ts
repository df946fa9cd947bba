import { describe, expect, test } from "bun:test";
import { holderKey, type SourceRef } from "../../../../src/domain/source.ts";
import { memberships } from "../../../../src/modules/members/members/records.ts";
import { groupRef, projectRef, putGroup, putMember, putProject, putRequest } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { putTeam } from "../../../support/planning/team.ts";

const world = await startWorld();
const group = putGroup(world, { name: "Top", visibility: "public" });
const project = putProject(world, group.id, { visibility: "public" });
const team = await putTeam(world, groupRef(group), ["developer", "maintainer", "owner"]);
const stranger = await world.user();
const notFound = { message: "404 Not found" };

const change = async (source: SourceRef, userId: number | string, json: unknown, token = rootToken) => {
  const { status, body } = await world.call("PUT", `/${source.type}s/${source.id}/members/${userId}`, { token, json });
  return [status, body];
};
const remove = async (source: SourceRef, userId: number | string, token = rootToken, options: object = {}) => {
  const { status, body } = await world.call("DELETE", `/${source.type}s/${source.id}/members/${userId}`, {
    token,
    ...options,
  });
  return [status, body];
};
const member = async (source: SourceRef, level: 10 | 20 | 30 | 40 | 50 = 20) => {
  const user = await world.user();
  putMember(world, source, user.id, level);
  return user;
};
const isMember = ({ type, id }: SourceRef, userId: number) =>
  world.store.of(memberships).by.holder.find(holderKey({ type, id }, userId)) !== undefined;

for (const source of [groupRef(group), projectRef(project)]) {
  describe(`in a ${source.type}`, () => {
    test("level and expiry are changed; an expiry that the request leaves out stays, and an empty one is removed", async () => {
      const { id } = await member(source);
      const day = world.clock.day(5);
      expect(await change(source, id, { access_level: 30, expires_at: day })).toMatchObject([
        200,
        { id, access_level: 30, expires_at: day },
      ]);
      expect(await change(source, id, { access_level: 40 })).toMatchObject([
        200,
        { access_level: 40, expires_at: day },
      ]);
      expect(await change(source, id, { access_level: 40, expires_at: null })).toMatchObject([
        200,
        { expires_at: null },
      ]);
      await change(source, id, { access_level: 40, expires_at: day });
      expect(await change(source, id, { access_level: 40, expires_at: "" })).toMatchObject([200, { expires_at: null }]);
    });

    test("missing parameters are reported first, then unknown members, the role, and the rules last", async () => {
      const { id } = await member(source);
      expect((await change({ ...source, id: 987654 }, id, {}))[1]).toEqual({
        error: "access_level is missing",
        message: '400 (Bad request) "access_level" not given',
      });
      expect((await change(source, "abc", { access_level: 30 }))[1]).toMatchObject({ error: "user_id is invalid" });
      expect(await change(source, stranger.id, { access_level: 30 }, stranger.token)).toEqual([404, notFound]);
      expect(await change(source, id, { access_level: 77 }, stranger.token)).toEqual([
        403,
        { message: "403 Forbidden" },
      ]);
      expect(await change(source, id, { access_level: 77 })).toEqual([
        400,
        { message: { access_level: ["is not included in the list"] } },
      ]);
      expect(await change(source, id, { access_level: 30, expires_at: world.clock.day(-1) })).toEqual([
        400,
        { message: { expires_at: ["cannot be a date in the past"] } },
      ]);
      expect(await change(source, id, { access_level: 30, member_role_id: 3 })).toEqual([
        400,
        { message: { member_role: ["not found"] } },
      ]);
      expect((await change(source, id, { access_level: 30, member_role_id: null }))[0]).toBe(200);
    });

    test("inherited members, requesters and strangers can be neither changed nor removed", async () => {
      const requester = await world.user();
      putRequest(world, source, requester.id);
      const away = [requester.id, stranger.id, 987654, ...(source.type === "project" ? [team.developer.id] : [])];
      for (const id of away) {
        expect(await change(source, id, { access_level: 30 })).toEqual([404, notFound]);
        expect(await remove(source, id)).toEqual([404, notFound]);
      }
    });

    test("all members may leave", async () => {
      const { id, token } = await member(source, 10);
      expect(await remove(source, id, token)).toEqual([204, undefined]);
      expect(isMember(source, id)).toBe(false);
    });

    test("a membership that has changed since is not removed", async () => {
      const { id } = await member(source);
      world.clock.advance(60_000);
      const since = world.clock.time(-30_000);
      await change(source, id, { access_level: 30 });
      const headers = { "If-Unmodified-Since": since };
      expect(await remove(source, id, stranger.token, { headers })).toEqual([
        412,
        { message: "412 Precondition Failed" },
      ]);
      expect(isMember(source, id)).toBe(true);
      expect((await remove(source, id, rootToken, { headers: { "If-Unmodified-Since": world.clock.time() } }))[0]).toBe(
        204,
      );
    });

    test("bots are not removed", async () => {
      const { id } = await member(source);
      world.alter(id, { user_type: "project_bot" });
      expect((await remove(source, id))[0]).toBe(403);
    });
  });
}

describe("changing and removing", () => {
  test("members of a group is for its owners", async () => {
    const source = groupRef(group);
    const { id } = await member(source);
    for (const { token } of [team.developer, team.maintainer, stranger]) {
      expect((await change(source, id, { access_level: 10 }, token))[0]).toBe(403);
      expect((await remove(source, id, token))[0]).toBe(403);
    }
    expect((await change(source, id, { access_level: 10 }, team.owner.token))[0]).toBe(200);
    expect((await remove(source, id, team.owner.token))[0]).toBe(204);
  });

  test("members of a project is for maintainers, except for owners", async () => {
    const source = projectRef(project);
    const { id } = await member(source);
    const boss = await member(source, 50);
    const { token } = team.maintainer;
    expect((await change(source, id, { access_level: 40 }, token))[0]).toBe(200);
    expect((await change(source, id, { access_level: 50 }, token))[0]).toBe(403);
    expect((await change(source, boss.id, { access_level: 40 }, token))[0]).toBe(403);
    expect((await remove(source, boss.id, token))[0]).toBe(403);
    expect((await remove(source, id, token))[0]).toBe(204);
    expect((await remove(source, boss.id, team.owner.token))[0]).toBe(204);
  });

  test("to a level below the inherited one is refused", async () => {
    const source = projectRef(putProject(world, group.id));
    putMember(world, source, team.developer.id, 40);
    expect(await change(source, team.developer.id, { access_level: 20 })).toEqual([
      400,
      {
        message: {
          access_level: ["should be greater than or equal to Developer inherited membership from group Top"],
        },
      },
    ]);
  });
});

describe("an indispensable owner", () => {
  test("of a top-level group, as the last one, can be neither changed nor removed by any caller", async () => {
    const own = groupRef(putGroup(world));
    const owner = await member(own, 50);
    const bot = await member(own, 50);
    world.alter(bot.id, { user_type: "group_bot" });
    for (const token of [rootToken, owner.token]) {
      for (const access_level of [50, 30]) expect((await change(own, owner.id, { access_level }, token))[0]).toBe(403);
      expect((await remove(own, owner.id, token))[0]).toBe(403);
    }
    const second = await member(own, 50);
    expect((await change(own, owner.id, { access_level: 30 }))[0]).toBe(200);
    expect((await remove(own, second.id, second.token))[0]).toBe(403);
  });

  test("is not replaced by a pending or expired owner", async () => {
    const own = groupRef(putGroup(world));
    const owner = await member(own, 50);
    putMember(world, own, stranger.id, 50, { state: "awaiting" });
    putMember(world, own, team.developer.id, 50, { expires_at: world.clock.day() });
    expect((await remove(own, owner.id))[0]).toBe(403);
  });

  test("is not replaced by an owner with an expiry date", async () => {
    const own = groupRef(putGroup(world));
    const [lasting, leaving] = [await member(own, 50), await member(own, 50)];
    const expires_at = world.clock.day(2);
    expect((await change(own, leaving.id, { access_level: 50, expires_at }))[0]).toBe(200);
    for (const token of [rootToken, lasting.token, leaving.token]) {
      expect((await change(own, lasting.id, { access_level: 50, expires_at }, token))[0]).toBe(403);
      expect((await change(own, lasting.id, { access_level: 40 }, token))[0]).toBe(403);
      expect((await remove(own, lasting.id, token))[0]).toBe(403);
    }
    expect((await world.call("DELETE", `/users/${lasting.id}`, { token: rootToken })).status).toBe(409);
    expect((await change(own, leaving.id, { access_level: 50, expires_at: null }))[0]).toBe(200);
    expect((await change(own, lasting.id, { access_level: 50, expires_at }))[0]).toBe(200);
    expect((await remove(own, lasting.id))[0]).toBe(204);
  });

  test("of a subgroup may leave while a group above has an owner", async () => {
    const above = putGroup(world);
    const sub = groupRef(putGroup(world, { parent_id: above.id }));
    const owner = await member(sub, 50);
    expect((await remove(sub, owner.id))[0]).toBe(403);
    await member(groupRef(above), 50);
    expect((await change(sub, owner.id, { access_level: 40 }))[0]).toBe(200);
    putMember(world, sub, stranger.id, 50);
    expect((await remove(sub, stranger.id))[0]).toBe(204);
    const both = await member(groupRef(above), 50);
    putMember(world, sub, both.id, 50);
    expect((await remove(sub, both.id))[0]).toBe(204);
  });

  test("of a personal namespace stays the owner of its projects", async () => {
    const holder = await world.user();
    const { namespace_id } = holder.record;
    const source = projectRef(putProject(world, namespace_id));
    putMember(world, source, holder.id, 50);
    for (const token of [rootToken, holder.token]) {
      expect((await change(source, holder.id, { access_level: 50 }, token))[0]).toBe(403);
      expect((await remove(source, holder.id, token))[0]).toBe(403);
    }
  });
});

describe("the removal of a group's member", () => {
  const below = () => {
    const own = putGroup(world);
    putMember(world, groupRef(own), team.owner.id, 50);
    const sub = putGroup(world, { parent_id: own.id });
    const refs = [
      groupRef(own),
      groupRef(sub),
      projectRef(putProject(world, sub.id)),
      projectRef(putProject(world, own.id)),
    ];
    const other = groupRef(putGroup(world));
    return { refs, other };
  };

  test("removes the memberships of everything below, and no others", async () => {
    const { refs, other } = below();
    for (const ref of [...refs, other]) putMember(world, ref, stranger.id, 20);
    const before = world.events().length;
    expect(await remove(refs[0] as SourceRef, stranger.id, stranger.token)).toEqual([204, undefined]);
    expect([...refs, other].map((ref) => isMember(ref, stranger.id))).toEqual([false, false, false, false, true]);
    expect(world.events(before).map(({ event_name, entity_id }) => [event_name, entity_id])).toEqual(
      refs.map(({ id }) => ["member_destroyed", id]),
    );
  });

  test("removes no others on request", async () => {
    const { refs } = below();
    const user = await world.user();
    for (const ref of refs) putMember(world, ref, user.id, 20);
    const query = { skip_subresources: true, unassign_issuables: true };
    expect((await remove(refs[0] as SourceRef, user.id, rootToken, { query }))[0]).toBe(204);
    expect(refs.map((ref) => isMember(ref, user.id))).toEqual([false, true, true, true]);
    expect((await remove(refs[1] as SourceRef, user.id, rootToken, { query: "skip_subresources=maybe" }))[0]).toBe(400);
  });
});
