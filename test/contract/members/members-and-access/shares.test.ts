import { describe, expect, test } from "bun:test";
import type { SourceRef } from "../../../../src/domain/source.ts";
import { updateGroupRecord } from "../../../../src/modules/core/namespaces/index.ts";
import { groupRef, projectRef, putGroup, putLink, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { putTeam } from "../../../support/planning/team.ts";

const world = await startWorld();
const group = putGroup(world, { path: "home", visibility: "public" });
const project = putProject(world, group.id, { visibility: "public" });
const team = await putTeam(world, groupRef(group), ["developer", "maintainer", "owner"]);
const stranger = await world.user();
const groupNotFound = [404, { message: "404 Group Not Found" }];

const share = async ({ type, id }: SourceRef, json: unknown, token = rootToken) => {
  const { status, body } = await world.call("POST", `/${type}s/${id}/share`, { token, json });
  return [status, body];
};
const unshare = async ({ type, id }: SourceRef, groupId: number | string, token = rootToken, headers = {}) => {
  const { status, body } = await world.call("DELETE", `/${type}s/${id}/share/${groupId}`, { token, headers });
  return [status, body];
};
const invitee = (visibility: "public" | "private" = "public") => putGroup(world, { visibility });

describe("a group", () => {
  const source = groupRef(group);

  test("that is shared answers with itself and those it is shared with", async () => {
    const other = invitee();
    const json = { group_id: other.id, group_access: 30, expires_at: world.clock.day(9) };
    const [status, body] = await share(source, json, team.owner.token);
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: group.id, full_path: "home" });
    expect((body as Json).shared_with_groups).toContainEqual({
      group_id: other.id,
      group_name: other.name,
      group_full_path: other.path,
      group_access_level: 30,
      expires_at: world.clock.day(9),
    });
    const message = "Shared group The group has already been shared with this group";
    expect(await share(source, json)).toEqual([409, { message }]);
    expect(await unshare(source, other.id, team.owner.token)).toEqual([204, undefined]);
    expect(await unshare(source, other.id)).toEqual([404, { message: "404 Group Link Not Found" }]);
  });

  test("is shared by owners alone; it stays shared when others remove a share, with the answer of a removal", async () => {
    const other = invitee();
    for (const { token } of [stranger, team.developer, team.maintainer]) {
      expect(await share(source, { group_id: other.id, group_access: 30 }, token)).toEqual(groupNotFound);
    }
    putLink(world, source, other.id, 30);
    for (const { token } of [stranger, team.maintainer])
      expect(await unshare(source, other.id, token)).toEqual([204, undefined]);
    expect((await world.get(`/groups/${group.id}`)).body.shared_with_groups).toContainEqual(
      expect.objectContaining({ group_id: other.id }),
    );
    expect((await unshare(source, other.id))[0]).toBe(204);
    expect((await unshare(source, other.id, stranger.token))[0]).toBe(404);
  });

  test("is not shared with a hidden or unknown group, or with itself", async () => {
    for (const id of [invitee("private").id, 987654])
      expect(await share(source, { group_id: id, group_access: 30 }, team.owner.token)).toEqual(groupNotFound);
    expect((await share(source, { group_id: group.id, group_access: 30 }))[0]).toBe(400);
    expect(await share(groupRef({ id: 987654 }), { group_id: group.id, group_access: 30 })).toEqual(groupNotFound);
  });
});

test.each(["group", "project"] as const)(
  "a %s is shared only within a hierarchy that prevents others",
  async (type) => {
    const top = putGroup(world);
    const below = putGroup(world, { parent_id: top.id });
    const source = type === "group" ? groupRef(below) : projectRef(putProject(world, below.id));
    const [outside, inside] = [invitee(), putGroup(world, { parent_id: top.id })];
    const closed = (prevent_sharing_groups_outside_hierarchy: boolean) =>
      world.call("PUT", `/groups/${top.id}`, { token: rootToken, json: { prevent_sharing_groups_outside_hierarchy } });
    await closed(true);
    expect(await share(source, { group_id: outside.id, group_access: 30 })).toEqual([404, { message: "Not Found" }]);
    expect((await share(source, { group_id: inside.id, group_access: 30 }))[0]).toBe(201);
    await closed(false);
    expect((await share(source, { group_id: outside.id, group_access: 30 }))[0]).toBe(201);
  },
);

describe("a project", () => {
  const source = projectRef(project);

  test("that is shared answers with the link", async () => {
    const other = invitee();
    const json = { group_id: other.id, group_access: 30, expires_at: world.clock.day(2) };
    const [status, body] = await share(source, json, team.maintainer.token);
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        project_id: project.id,
        group_id: other.id,
        group_access: 30,
        expires_at: world.clock.day(2),
      },
    ]);
    expect(await share(source, json)).toEqual([409, { message: "Group already shared with this group" }]);
    expect(await unshare(source, other.id, team.developer.token)).toEqual([403, { message: "403 Forbidden" }]);
    expect(await unshare(source, other.id, team.maintainer.token)).toEqual([204, undefined]);
    expect(await unshare(source, other.id, team.maintainer.token)).toEqual([
      404,
      { message: "404 Group Link Not Found" },
    ]);
  });

  test("is shared by maintainers; owner rights are given only by owners", async () => {
    const json = () => ({ group_id: invitee().id, group_access: 50 });
    expect((await share(source, json(), team.developer.token))[0]).toBe(403);
    expect((await share(source, json(), team.maintainer.token))[0]).toBe(403);
    expect((await share(source, json(), team.owner.token))[0]).toBe(201);
    expect(await share(source, { group_id: invitee("private").id, group_access: 20 }, team.maintainer.token)).toEqual(
      groupNotFound,
    );
  });

  test("is not shared with the group that it is in, nor with one above", async () => {
    const below = putGroup(world, { parent_id: group.id });
    const beside = putGroup(world, { parent_id: group.id });
    const inner = projectRef(putProject(world, below.id));
    const message = "Project cannot be shared with the group it is in or one of its ancestors.";
    for (const { id } of [below, group]) {
      expect(await share(inner, { group_id: id, group_access: 30 })).toEqual([409, { message }]);
    }
    expect((await share(inner, { group_id: beside.id, group_access: 30 }))[0]).toBe(201);
  });

  test("is not shared where its group prevents it", async () => {
    const closed = putGroup(world);
    const inner = projectRef(putProject(world, closed.id));
    world.store.transact((tx) =>
      updateGroupRecord(tx, world.store, { ...closed, settings: { share_with_group_lock: true } }),
    );
    expect(await share(inner, { group_id: invitee().id, group_access: 30 })).toEqual([
      400,
      { message: "The project sharing with group is disabled" },
    ]);
  });
});

for (const source of [groupRef(group), projectRef(project)])
  describe(`sharing a ${source.type}`, () => {
    test("takes a group, a level and an expiry", async () => {
      const { id } = invitee();
      const error = async (json: object) => (await share(source, json))[1] as Json;
      expect((await error({ group_access: 30 })).error).toBe("group_id is missing");
      expect((await error({ group_id: id })).error).toBe("group_access is missing");
      expect((await error({ group_id: id, group_access: 33 })).error).toBe("group_access does not have a valid value");
      for (const group_access of [0, 5]) expect((await share(source, { group_id: id, group_access }))[0]).toBe(400);
      expect(await error({ group_id: id, group_access: 30, expires_at: world.clock.day(-1) })).toEqual({
        message: { expires_at: ["cannot be a date in the past"] },
      });
      expect((await unshare(source, "abc"))[1]).toMatchObject({ error: "group_id is invalid" });
      expect((await world.call("POST", `/${source.type}s/${source.id}/share`, { json: {} })).status).toBe(401);
    });

    test("gives and removes access at once, and writes events", async () => {
      const other = invitee();
      const inner = source.type === "group" ? putGroup(world) : putProject(world, putGroup(world).id);
      const hidden: SourceRef = { type: source.type, id: inner.id };
      const guest = await world.user();
      putMember(world, groupRef(other), guest.id, 40);
      const status = async () =>
        (await world.call("GET", `/${hidden.type}s/${hidden.id}/members`, { token: guest.token })).status;
      expect(await status()).toBe(404);
      const before = world.events().length;
      await share(hidden, { group_id: other.id, group_access: 10 });
      expect(await status()).toBe(200);
      await unshare(hidden, other.id);
      expect(await status()).toBe(404);
      const names = {
        group: ["group_share_with_group_link_created", "group_share_with_group_link_removed"],
        project: ["project_group_link_created", "project_group_link_deleted"],
      };
      const events = world.events(before);
      expect(events.map(({ event_name }) => event_name)).toEqual(names[source.type]);
      expect(events[0]).toMatchObject({
        entity_id: hidden.id,
        details: {
          target_type: "Group",
          target_id: other.id,
          target_details: other.path,
          custom_message: expect.any(String),
        },
      });
    });

    test("replaces an expired share, and does not delete one that was created since", async () => {
      const { id } = invitee();
      putLink(world, source, id, 20, { expires_at: world.clock.day() });
      expect((await unshare(source, id))[0]).toBe(404);
      expect((await share(source, { group_id: id, group_access: 30 }))[0]).toBe(201);
      expect((await unshare(source, id, rootToken, { "If-Unmodified-Since": world.clock.time(-60_000) }))[0]).toBe(412);
    });
  });

describe("the groups of a share", () => {
  const top = putGroup(world, { visibility: "public" });
  const sub = putGroup(world, { visibility: "public", parent_id: top.id });
  const names = async (path: string, query: string, token?: string) => {
    const { body } = await world.call("GET", path, { query, token });
    return body.map(({ name }: Json) => name);
  };
  putLink(world, groupRef(sub), putGroup(world, { path: "crew", visibility: "public" }).id, 30);
  const hidden = putGroup(world, { path: "hidden" });
  putLink(world, groupRef(sub), hidden.id, 30);
  const above = putGroup(world, { path: "above", visibility: "internal" });
  putLink(world, groupRef(top), above.id, 30);
  putLink(world, groupRef(sub), putGroup(world, { path: "over", visibility: "public" }).id, 30, {
    expires_at: world.clock.day(),
  });

  test("are the invited ones, direct and inherited, as far as the caller sees them", async () => {
    const path = `/groups/${sub.id}/invited_groups`;
    expect(await names(path, "")).toEqual(["crew"]);
    expect(await names(path, "", stranger.token)).toEqual(["above", "crew"]);
    expect(await names(path, "", rootToken)).toEqual(["above", "crew", "hidden"]);
    expect(await names(path, "relation[]=direct", rootToken)).toEqual(["crew", "hidden"]);
    expect(await names(path, "relation[]=inherited", rootToken)).toEqual(["above"]);
    expect(await names(path, "search=REW", rootToken)).toEqual(["crew"]);
    putMember(world, groupRef(above), stranger.id, 20);
    expect(await names(path, "min_access_level=20", stranger.token)).toEqual(["above"]);
    expect(await names(path, "min_access_level=30", stranger.token)).toEqual([]);
    expect((await world.call("GET", path, { query: "relation[]=all" })).status).toBe(400);
  });

  test("are those that the group was invited to", async () => {
    expect(await names(`/groups/${above.id}/groups/shared`, "", stranger.token)).toEqual([top.name]);
    expect(await names(`/groups/${above.id}/groups/shared`, `skip_groups=${top.id}`, stranger.token)).toEqual([]);
    expect(await names(`/groups/${above.id}/groups/shared`, "visibility=private", stranger.token)).toEqual([]);
    expect((await world.call("GET", `/groups/${above.id}/groups/shared`)).status).toBe(404);
  });
});
