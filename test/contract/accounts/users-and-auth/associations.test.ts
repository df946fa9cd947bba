import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);

describe("GET /users/:id/associations_count", () => {
  const countsOf = (id: number, token?: string) => world.call("GET", `/users/${id}/associations_count`, { token });
  const none = { groups_count: 0, projects_count: 0, issues_count: 0, merge_requests_count: 0 };

  test("counts direct memberships, except expired, pending and deleted ones", async () => {
    const ann = await world.user();
    expect((await countsOf(ann.id, ann.token)).body).toEqual(none);
    const group = places.group();
    const below = places.group({ parent_id: group.id });
    places.project(group.id);
    places.member(group, ann.id, accessLevels.guest);
    places.member(below, ann.id, accessLevels.developer);
    places.member(places.project(places.group().id), ann.id, accessLevels.guest);
    places.member(places.group(), ann.id, accessLevels.guest, { expires_at: world.clock.day() });
    places.member(places.group(), ann.id, accessLevels.guest, { state: "awaiting" });
    places.member(places.group({ is_being_deleted: true }), ann.id, accessLevels.guest);
    expect((await countsOf(ann.id, ann.token)).body).toEqual({ ...none, groups_count: 2, projects_count: 1 });
    expect((await countsOf(ann.id, rootToken)).body).toEqual({ ...none, groups_count: 2, projects_count: 1 });
  });

  test("is open to the user and to administrators", async () => {
    const [ann, bob] = [await world.user(), await world.user()];
    const anonymous = await countsOf(ann.id);
    expect([anonymous.status, anonymous.body]).toEqual([401, { message: "401 Unauthorized" }]);
    for (const id of [bob.id, 1, 9_999]) {
      const { status, body } = await countsOf(id, ann.token);
      expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
    }
    const unknown = await countsOf(9_999, rootToken);
    expect([unknown.status, unknown.body]).toEqual([404, { message: "404 User Not Found" }]);
  });

  test("requires the scope read_user", async () => {
    const ann = await world.user();
    const { token } = await world.token(ann.id, { scopes: ["read_user"] });
    expect((await countsOf(ann.id, token)).status).toBe(200);
  });
});

describe("GET /personal_access_tokens/self/associations", () => {
  const list = ({ token }: Pick<Person, "token">, query: Record<string, string | number> = {}) =>
    world.call("GET", "/personal_access_tokens/self/associations", { token, query });
  const idsOf = (of: readonly { id: number }[]) => of.map(({ id }) => id);

  test("lists groups and projects with the levels of the token's user there", async () => {
    const ann = await world.user();
    const top = places.group({ path: "top", name: "Top" });
    const sub = places.group({ path: "sub", parent_id: top.id });
    const direct = places.project(places.group({ path: "other" }).id, { path: "tools" });
    const inherited = places.project(sub.id, { path: "api", name: "API", description: "Sails" });
    places.member(top, ann.id, accessLevels.reporter);
    places.member(inherited, ann.id, accessLevels.developer);
    places.member(direct, ann.id, accessLevels.guest);
    const { status, body } = await list(ann);
    expect(status).toBe(200);
    expect(body.groups[0]).toEqual({
      id: top.id,
      web_url: `${world.origin}/groups/top`,
      name: "Top",
      parent_id: null,
      organization_id: 1,
      access_levels: 20,
      visibility: "private",
    });
    expect(idsOf(body.groups)).toEqual([top.id, sub.id]);
    expect(body.projects.map(({ id, access_levels }: never) => [id, access_levels])).toEqual([
      [direct.id, { project_access_level: 10, group_access_level: null }],
      [inherited.id, { project_access_level: 30, group_access_level: 20 }],
    ]);
    expect(body.projects[1]).toEqual({
      id: inherited.id,
      description: "Sails",
      name: "API",
      name_with_namespace: "Top / sub / API",
      path: "api",
      path_with_namespace: "top/sub/api",
      created_at: world.clock.time(),
      access_levels: { project_access_level: 30, group_access_level: 20 },
      visibility: "private",
      web_url: `${world.origin}/top/sub/api`,
      namespace: {
        id: sub.id,
        name: "sub",
        path: "sub",
        kind: "group",
        full_path: "top/sub",
        parent_id: top.id,
        web_url: `${world.origin}/groups/top/sub`,
      },
    });
  });

  test("leaves out groups and projects below min_access_level, those being deleted, and those without a membership", async () => {
    const ann = await world.user({ admin: true });
    const open = places.group({ visibility: "public" });
    places.project(open.id, { visibility: "public" });
    expect((await list(ann)).body).toEqual({ groups: [], projects: [] });
    const levels = [accessLevels.guest, accessLevels.developer, accessLevels.owner];
    const groups = levels.map((level) => {
      const group = places.group();
      places.member(group, ann.id, level);
      return group;
    });
    const projects = groups.map(({ id }) => places.project(id));
    places.member(places.group({ is_being_deleted: true }), ann.id, accessLevels.owner);
    for (const [level, from] of [
      [5, 0],
      [10, 0],
      [20, 1],
      [30, 1],
      [40, 2],
      [50, 2],
    ] as const) {
      const { body } = await list(ann, { min_access_level: level });
      expect(idsOf(body.groups)).toEqual(idsOf(groups.slice(from)));
      expect(idsOf(body.projects)).toEqual(idsOf(projects.slice(from)));
    }
    for (const min_access_level of [0, 7, 60]) {
      const { status, body } = await list(ann, { min_access_level });
      expect([status, body.error]).toEqual([400, "min_access_level does not have a valid value"]);
    }
    expect((await list(ann, { min_access_level: "high" })).body.error).toBe("min_access_level is invalid");
  });

  test("has pages for both lists", async () => {
    const ann = await world.user();
    const group = places.group();
    places.member(group, ann.id, accessLevels.guest);
    const projects = Array.from({ length: 25 }, () => places.project(group.id));
    const first = (await list(ann)).body;
    expect(idsOf(first.projects)).toEqual(idsOf(projects.slice(0, 20)));
    const third = (await list(ann, { page: 3, per_page: 10 })).body;
    expect(idsOf(third.projects)).toEqual(idsOf(projects.slice(20)));
    expect(third.groups).toEqual([]);
    expect(idsOf((await list(ann, { page: -1, per_page: -1 })).body.projects)).toEqual(idsOf(first.projects));
    expect((await list(ann, { per_page: 500 })).body.projects.length).toBe(25);
    expect((await list(ann, { per_page: 0 })).status).toBe(400);
  });

  test("is open to tokens of any scope, and to no request without a token", async () => {
    const ann = await world.user();
    expect((await list(await world.token(ann.id, { scopes: ["read_registry"] }))).status).toBe(200);
    expect((await world.call("GET", "/personal_access_tokens/self/associations")).status).toBe(401);
  });

  test("with sudo lists those of the token's owner", async () => {
    const ann = await world.user();
    const group = places.group();
    places.member(group, 1, accessLevels.owner);
    expect(idsOf((await list({ token: rootToken }, { sudo: ann.id })).body.groups)).toEqual([group.id]);
  });
});
