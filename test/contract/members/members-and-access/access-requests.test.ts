import { describe, expect, test } from "bun:test";
import type { SourceRef } from "../../../../src/domain/source.ts";
import { updateGroupRecord } from "../../../../src/modules/core/namespaces/index.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import {
  groupRef,
  projectRef,
  putGroup,
  putLink,
  putMember,
  putProject,
  putRequest,
} from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { putTeam } from "../../../support/planning/team.ts";

const world = await startWorld();
const group = putGroup(world, { name: "Top", visibility: "public" });
const project = putProject(world, group.id, { visibility: "public" });
const team = await putTeam(world, groupRef(group), ["guest", "maintainer", "owner"]);
const stranger = await world.user();
const forbidden = [403, { message: "403 Forbidden" }];
const notFound = [404, { message: "404 Not found" }];

const call = async (method: string, { type, id }: SourceRef, rest: string, token: string | undefined, options = {}) => {
  const { status, body } = await world.call(method, `/${type}s/${id}/access_requests${rest}`, { token, ...options });
  return [status, body];
};
const requester = async (source: SourceRef) => {
  const user = await world.user();
  putRequest(world, source, user.id);
  return user;
};
const isListed = async (source: SourceRef, userId: number) =>
  ((await call("GET", source, "", rootToken, { query: { per_page: 100 } }))[1] as Json[]).some(
    ({ id }) => id === userId,
  );

for (const source of [groupRef(group), projectRef(project)]) {
  const manager = source.type === "group" ? team.owner : team.maintainer;
  const other = source.type === "group" ? team.maintainer : team.guest;

  describe(`access to a ${source.type}`, () => {
    test("is requested once, by users without any membership", async () => {
      const user = await world.user();
      const [status, body] = await call("POST", source, "", user.token);
      expect(status).toBe(201);
      expect(body).toEqual({
        id: user.id,
        username: user.username,
        name: user.record.name,
        state: "active",
        locked: false,
        avatar_url: expect.any(String),
        web_url: `${world.origin}/${user.username}`,
        created_at: world.clock.time(),
        requested_at: world.clock.time(),
      });
      expect(await call("POST", source, "", user.token)).toEqual([
        400,
        { message: { user_id: ["already exists in source"] } },
      ]);
      expect(await call("POST", source, "", team.guest.token)).toEqual(forbidden);
      expect((await call("POST", source, "", undefined))[0]).toBe(401);
    });

    test("is not requested by invited members, nor by pending ones", async () => {
      const invited = putGroup(world);
      putLink(world, source, invited.id, 30);
      const [guest, waiting] = [await world.user(), await world.user()];
      putMember(world, groupRef(invited), guest.id, 20);
      putMember(world, source, waiting.id, 20, { state: "awaiting" });
      for (const { token } of [guest, waiting]) expect(await call("POST", source, "", token)).toEqual(forbidden);
    });

    test("is listed for users who may manage members, oldest first", async () => {
      const [one, two] = [await requester(source), await requester(source)];
      for (const token of [manager.token, rootToken]) {
        const [status, body] = await call("GET", source, "", token, { query: { per_page: 100 } });
        expect(status).toBe(200);
        expect((body as Json[]).slice(-2).map(({ id }) => id)).toEqual([one.id, two.id]);
        expect((body as Json[]).at(-1).requested_at).toBe(world.clock.time());
      }
      for (const { token } of [one, other, stranger]) expect(await call("GET", source, "", token)).toEqual(forbidden);
    });

    test("is given by approval, as developer by default", async () => {
      const user = await requester(source);
      const before = world.events().length;
      const [status, body] = await call("PUT", source, `/${user.id}/approve`, manager.token);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        id: user.id,
        access_level: 30,
        created_at: world.clock.time(),
        created_by: { id: manager.id },
      });
      expect(body).not.toHaveProperty("requested_at");
      expect(await isListed(source, user.id)).toBe(false);
      const [event] = world.events(before);
      expect(event).toMatchObject({
        event_name: "member_created",
        author_id: manager.id,
        details: { as: "Developer" },
      });
      const another = await requester(source);
      expect(
        (await call("PUT", source, `/${another.id}/approve`, rootToken, { json: { access_level: 15 } }))[1],
      ).toMatchObject({ access_level: 15 });
    });

    test("stays requested after an approval with an unknown level", async () => {
      const user = await requester(source);
      for (const access_level of [0, 60, 33])
        expect(await call("PUT", source, `/${user.id}/approve`, rootToken, { json: { access_level } })).toEqual([
          400,
          { message: { access_level: ["is not included in the list"] } },
        ]);
      expect(await isListed(source, user.id)).toBe(true);
    });

    test("is looked up before the role", async () => {
      const user = await requester(source);
      for (const [method, rest] of [
        ["PUT", "/approve"],
        ["DELETE", ""],
      ] as const) {
        for (const id of [stranger.id, team.guest.id, 987654])
          for (const token of [stranger.token, rootToken])
            expect(await call(method, source, `/${id}${rest}`, token)).toEqual(notFound);
        for (const { token } of [stranger, other])
          expect(await call(method, source, `/${user.id}${rest}`, token)).toEqual(forbidden);
      }
      expect(await isListed(source, user.id)).toBe(true);
    });

    test("is denied, or withdrawn, and may be requested again", async () => {
      const [one, two] = [await requester(source), await requester(source)];
      expect(await call("DELETE", source, `/${one.id}`, manager.token)).toEqual([204, undefined]);
      expect(await call("DELETE", source, `/${two.id}`, two.token)).toEqual([204, undefined]);
      expect(await isListed(source, one.id)).toBe(false);
      expect((await call("POST", source, "", one.token))[0]).toBe(201);
    });

    test("is not denied if it was requested again since", async () => {
      const user = await requester(source);
      const headers = { "If-Unmodified-Since": world.clock.time(-60_000) };
      expect((await call("DELETE", source, `/${user.id}`, rootToken, { headers }))[0]).toBe(412);
      expect(await isListed(source, user.id)).toBe(true);
    });

    test("to a hidden source is 404", async () => {
      const hidden =
        source.type === "group" ? groupRef(putGroup(world)) : projectRef(putProject(world, putGroup(world).id));
      const message = source.type === "group" ? "404 Group Not Found" : "404 Project Not Found";
      for (const [method, rest] of [
        ["GET", ""],
        ["POST", ""],
        ["PUT", "/1/approve"],
        ["DELETE", "/1"],
      ] as const)
        expect(await call(method, hidden, rest, stranger.token)).toEqual([404, { message }]);
    });
  });
}

test("access cannot be requested where requests are off", async () => {
  const closed = putGroup(world, { visibility: "public", settings: { request_access_enabled: false } });
  expect(await call("POST", groupRef(closed), "", stranger.token)).toEqual(forbidden);
  world.store.transact((tx) => updateGroupRecord(tx, world.store, { ...closed, settings: {} }));
  expect((await call("POST", groupRef(closed), "", stranger.token))[0]).toBe(201);
  const inner = putProject(world, closed.id, { visibility: "public", settings: { request_access_enabled: false } });
  expect(await call("POST", projectRef(inner), "", stranger.token)).toEqual(forbidden);
  world.store.transact((tx) => tx.update(projects, { ...inner, settings: {} }));
  expect((await call("POST", projectRef(inner), "", stranger.token))[0]).toBe(201);
});

test("owner access is given by owners of a group, not by maintainers of a project", async () => {
  const inProject = await requester(projectRef(project));
  const json = { access_level: 50 };
  const approve = (source: SourceRef, id: number, token: string) =>
    call("PUT", source, `/${id}/approve`, token, { json });
  expect(await approve(projectRef(project), inProject.id, team.maintainer.token)).toEqual(forbidden);
  expect(await isListed(projectRef(project), inProject.id)).toBe(true);
  expect((await approve(projectRef(project), inProject.id, team.owner.token))[0]).toBe(201);
  const inGroup = await requester(groupRef(group));
  expect((await approve(groupRef(group), inGroup.id, team.owner.token))[0]).toBe(201);
});

test("an approval gives no level below one inherited meanwhile", async () => {
  const user = await requester(projectRef(project));
  putMember(world, groupRef(group), user.id, 40);
  const [status, body] = await call("PUT", projectRef(project), `/${user.id}/approve`, rootToken);
  expect([status, body]).toEqual([
    400,
    {
      message: { access_level: ["should be greater than or equal to Maintainer inherited membership from group Top"] },
    },
  ]);
});
