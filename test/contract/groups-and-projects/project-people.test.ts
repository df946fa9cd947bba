import { describe, expect, test } from "bun:test";
import type { SourceRef } from "../../../src/domain/source.ts";
import { groupLinks } from "../../../src/modules/groups-and-projects/shares/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const [ann, bob, cid, dan] = [
  await world.user({ username: "ann" }),
  await world.user({ username: "bob" }),
  await world.user({ username: "cid" }),
  await world.user({ username: "dan" }),
];
const top = places.group({ path: "top", name: "Top", visibility: "public" });
const sub = places.group({ path: "sub", name: "Sub", parent_id: top.id, visibility: "public" });
const invited = places.group({ path: "invited", name: "Invited" });
const above = places.group({ path: "above", name: "Above", visibility: "public" });
addMember(world, top, ann, "guest");
addMember(world, invited, cid, "developer");
const { body: project } = await world.call("POST", "/projects", {
  token: rootToken,
  json: { name: "one", namespace_id: sub.id, visibility: "public" },
});
addMember(world, project, bob, "reporter", "project");

function share(source: SourceRef, groupId: number, level: 20 | 30, expires_at: string | null = null): void {
  world.store.transact((tx) =>
    tx.insert(groupLinks, {
      id: tx.nextId("group_links"),
      source_type: source.type,
      source_id: source.id,
      group_id: groupId,
      group_access: level,
      expires_at,
      created_at: world.clock.time(),
      updated_at: world.clock.time(),
    }),
  );
}
share({ type: "project", id: project.id }, invited.id, 30);
share({ type: "group", id: top.id }, above.id, 20);

const names = async (path: string, token?: string) =>
  (await world.call("GET", `/projects/${project.id}${path}`, { token })).body.map(
    (each: Json) => each.username ?? each.full_path,
  );

describe("GET /projects/:id/users", () => {
  test("lists all users with access, as user-basic objects", async () => {
    expect(await names("/users", rootToken)).toEqual(["ann", "bob", "cid"]);
    expect(await names("/users?search=BO")).toEqual(["bob"]);
    expect(await names(`/users?skip_users[]=${ann.id}&skip_users[]=${cid.id}`, rootToken)).toEqual(["bob"]);
    const { body, headers } = await world.get(`/projects/${project.id}/users`, { query: { per_page: 1 } });
    expect(Object.keys(body[0])).toEqual(["id", "username", "name", "state", "locked", "avatar_url", "web_url"]);
    expect(headers.get("x-total")).toBe("3");
    expect(dan.id).toBeGreaterThan(cid.id);
  });

  test("hides the members of a private invited group from others", async () => {
    for (const token of [undefined, dan.token]) expect(await names("/users", token)).toEqual(["ann", "bob"]);
    expect(await names("/users?search=cid")).toEqual([]);
    for (const { token } of [ann, bob, cid]) expect(await names("/users", token)).toEqual(["ann", "bob", "cid"]);
  });
});

describe("GET /projects/:id/groups", () => {
  test("lists the groups above, and the invited ones on request", async () => {
    expect(await names("/groups")).toEqual(["top/sub", "top"]);
    expect(await names("/groups?search=to")).toEqual(["top"]);
    expect(await names(`/groups?skip_groups=${top.id}`)).toEqual(["top/sub"]);
    expect(await names("/groups?with_shared=true", rootToken)).toEqual(["invited", "top/sub", "top"]);
    expect(await names("/groups?with_shared=true", dan.token)).toEqual(["top/sub", "top"]);
    expect((await world.get(`/projects/${project.id}/groups`)).body[0]).toEqual({
      id: sub.id,
      web_url: `${world.origin}/groups/top/sub`,
      name: "Sub",
      avatar_url: null,
      full_name: "Top / Sub",
      full_path: "top/sub",
    });
  });
});

describe("GET /projects/:id/invited_groups", () => {
  test("lists the groups invited to it or above it, by relation and level, as far as the caller sees them", async () => {
    expect(await names("/invited_groups", rootToken)).toEqual(["above", "invited"]);
    expect(await names("/invited_groups", dan.token)).toEqual(["above"]);
    expect(await names("/invited_groups?relation[]=direct", rootToken)).toEqual(["invited"]);
    expect(await names("/invited_groups?relation[]=inherited", rootToken)).toEqual(["above"]);
    expect(await names("/invited_groups?min_access_level=30", rootToken)).toEqual(["invited"]);
    expect(await names("/invited_groups?search=bov", rootToken)).toEqual(["above"]);
    expect((await world.get(`/projects/${project.id}/invited_groups?relation[]=odd`)).status).toBe(400);
  });
});

describe("the representation of access", () => {
  const shown = async (token: string) => (await world.call("GET", `/projects/${project.id}`, { token })).body;

  test("has the direct membership and the highest one through groups in permissions", async () => {
    expect((await shown(ann.token)).permissions).toEqual({
      project_access: null,
      group_access: { access_level: 10, notification_level: 3 },
    });
    expect((await shown(bob.token)).permissions).toEqual({
      project_access: { access_level: 20, notification_level: 3 },
      group_access: null,
    });
    expect((await shown(dan.token)).permissions).toEqual({ project_access: null, group_access: null });
  });

  test("leaves groups that the caller cannot see out of shared_with_groups", async () => {
    expect((await shown(rootToken)).shared_with_groups).toEqual([
      {
        group_id: invited.id,
        group_name: "Invited",
        group_full_path: "invited",
        group_access_level: 30,
        expires_at: null,
      },
    ]);
    expect((await shown(dan.token)).shared_with_groups).toEqual([]);
  });

  test("shows tokens and statistics by the caller's role", async () => {
    const asked = `/projects/${project.id}?statistics=true`;
    const [asReporter, asGuest] = [
      (await world.call("GET", asked, { token: bob.token })).body,
      (await world.call("GET", asked, { token: ann.token })).body,
    ];
    expect(asReporter.statistics).toMatchObject({ repository_size: 0 });
    expect(asGuest.statistics).toBeUndefined();
    expect([asReporter.runners_token, asReporter.updated_at]).toEqual([undefined, project.updated_at]);
    expect((await world.get(asked)).body.runners_token).toMatch(/^GR1348941p\d+_\w{20}$/);
  });

  test("leaves the default branch out where the code is hidden", async () => {
    const { body: closed } = await world.call("POST", "/projects", {
      token: rootToken,
      json: { name: "closed", namespace_id: sub.id, initialize_with_readme: true },
    });
    const branch = async (token: string) => (await world.call("GET", `/projects/${closed.id}`, { token })).body;
    expect("default_branch" in (await branch(ann.token))).toBe(false);
    expect((await branch(rootToken)).default_branch).toBe("main");
  });
});

describe("GET /projects/:id/storage", () => {
  test("shows administrators the place of a repository", async () => {
    const { body } = await world.get(`/projects/${project.id}/storage`);
    expect(body).toEqual({
      project_id: project.id,
      disk_path: expect.stringMatching(/^@hashed\/[\da-f]{2}\/[\da-f]{2}\/[\da-f]{64}$/),
      created_at: project.created_at,
      repository_storage: "default",
    });
    expect((await world.call("GET", `/projects/${project.id}/storage`, { token: bob.token })).status).toBe(403);
  });
});
