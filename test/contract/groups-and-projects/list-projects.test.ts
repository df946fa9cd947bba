import { describe, expect, test } from "bun:test";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const ext = await world.user({ username: "ext", external: true });

const acme = places.group({ path: "acme", name: "Acme", visibility: "public" });
const core = places.group({ path: "core", name: "Core", parent_id: acme.id, visibility: "public" });
addMember(world, acme, ann, "maintainer");

async function make(json: object, token: string = rootToken): Promise<Json> {
  world.clock.advance(1000);
  const { status, body, text } = await world.call("POST", "/projects", { token, json });
  if (status !== 201) throw new Error(text);
  return body;
}

function alter(id: number, attributes: Partial<ProjectRecord>): void {
  const record = world.store.of(projects).get(id);
  if (record === undefined) throw new Error("no project");
  world.store.transact((tx) => tx.update(projects, { ...record, ...attributes }));
}

const open = await make({ name: "Open API", namespace_id: core.id, visibility: "public", topics: ["web", "Api"] });
const inner = await make({
  ...{ name: "Inner", namespace_id: acme.id, visibility: "internal", issues_enabled: false },
  description: "Keeps the books of the orchard",
});
const secret = await make({ name: "Secret", namespace_id: acme.id, topics: "web" });
const anns = await make({ name: "Notes", visibility: "public" }, ann.token);
alter(anns.id, { import_url: "https://elsewhere.test/x.git" });
const bobs = await make({ name: "Diary", merge_requests_enabled: false }, bob.token);

const ids = async (query: object = {}, token?: string) => {
  const { status, body, text } = await world.call("GET", "/projects", { token, query: { ...query } });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.map(({ id }: Json) => id);
};

describe("GET /projects", () => {
  test("lists the projects that each caller sees, the newest first", async () => {
    expect(await ids()).toEqual([anns.id, open.id]);
    expect(await ids({}, ann.token)).toEqual([anns.id, secret.id, inner.id, open.id]);
    expect(await ids({}, bob.token)).toEqual([bobs.id, anns.id, inner.id, open.id]);
    expect(await ids({}, ext.token)).toEqual([anns.id, open.id]);
    expect(await ids({}, rootToken)).toEqual([bobs.id, anns.id, secret.id, inner.id, open.id]);
  });

  test("has the simple form without credentials or on request, and the normal one with permissions otherwise", async () => {
    const [simple] = (await world.call("GET", "/projects")).body;
    expect(Object.keys(simple)).not.toContain("permissions");
    expect(simple.visibility).toBeUndefined();
    expect(simple.repository_storage).toBeUndefined();
    const [normal] = (await world.call("GET", "/projects", { token: ann.token })).body;
    expect(normal.permissions).toEqual({
      project_access: { access_level: 50, notification_level: 3 },
      group_access: null,
    });
    const [asked] = (await world.call("GET", "/projects", { token: rootToken, query: { simple: true } })).body;
    expect(asked.permissions).toBeUndefined();
    expect(asked.repository_storage).toBe("default");
  });

  test.each<[object, () => number[]]>([
    [{ archived: false }, () => [bobs.id, anns.id, secret.id, inner.id, open.id]],
    [{ archived: true }, () => []],
    [{ visibility: "internal" }, () => [inner.id]],
    [{ imported: true }, () => [anns.id]],
    [{ with_issues_enabled: true }, () => [bobs.id, anns.id, secret.id, open.id]],
    [{ with_merge_requests_enabled: true }, () => [anns.id, secret.id, inner.id, open.id]],
    [{ topic: "web" }, () => [secret.id, open.id]],
    [{ topic: "web,api" }, () => [open.id]],
    [{ topic_id: 1 }, () => []],
    [{ with_programming_language: "Ruby" }, () => []],
    [{ search: "ope" }, () => [open.id]],
    [{ search: "API open" }, () => [open.id]],
    [{ search: "open-a" }, () => [open.id]],
    [{ search: "zz" }, () => []],
    [{ search: "ORCHARD books" }, () => [inner.id]],
    [{ search: "orchard books", search_namespaces: true }, () => [inner.id]],
    [{ search: "orchard inner" }, () => []],
    [{ search: "acme" }, () => []],
    [{ search: "acme", search_namespaces: true }, () => [secret.id, inner.id, open.id]],
    [{ search: "acme/core/op", search_namespaces: true }, () => [open.id]],
    [{ search: "me/core", search_namespaces: true }, () => [open.id]],
    [{ search: "bob", search_namespaces: true }, () => [bobs.id]],
    [{ id_after: 2 }, () => [bobs.id, anns.id, secret.id]],
    [{ id_before: 3 }, () => [inner.id, open.id]],
    [{ id_before: "99999999999999999999" }, () => [bobs.id, anns.id, secret.id, inner.id, open.id]],
    [{ repository_storage: "default" }, () => [bobs.id, anns.id, secret.id, inner.id, open.id]],
    [{ repository_storage: "other" }, () => []],
    [{ owned: true }, () => []],
    [{ membership: true }, () => []],
    [{ order_by: "name", sort: "asc" }, () => [bobs.id, inner.id, anns.id, open.id, secret.id]],
    [{ order_by: "path" }, () => [secret.id, open.id, anns.id, inner.id, bobs.id]],
    [{ order_by: "id", sort: "asc" }, () => [open.id, inner.id, secret.id, anns.id, bobs.id]],
    [{ order_by: "storage_size" }, () => [bobs.id, anns.id, secret.id, inner.id, open.id]],
    [{ order_by: "star_count", sort: "asc" }, () => [open.id, inner.id, secret.id, anns.id, bobs.id]],
  ])("answers an administrator's %j", async (query, expected) => {
    expect(await ids(query, rootToken)).toEqual(expected());
  });

  test("filters by the caller's own roles with owned, membership and min_access_level", async () => {
    expect(await ids({ owned: true }, ann.token)).toEqual([anns.id]);
    expect(await ids({ membership: true }, ann.token)).toEqual([anns.id, secret.id, inner.id, open.id]);
    expect(await ids({ min_access_level: 40 }, ann.token)).toEqual([anns.id, secret.id, inner.id, open.id]);
    expect(await ids({ min_access_level: 50 }, ann.token)).toEqual([anns.id]);
    expect(await ids({ owned: true })).toEqual([]);
    expect(await ids({ membership: true })).toEqual([]);
    expect(await ids({ min_access_level: 10 })).toEqual([]);
  });

  test("takes the storage as a filter and sizes as an order only from administrators", async () => {
    expect(await ids({ repository_storage: "other" }, bob.token)).toHaveLength(4);
    expect(await ids({ repository_storage: "other" })).toHaveLength(2);
    for (const order_by of ["storage_size", "repository_size", "wiki_size", "packages_size"]) {
      expect(await ids({ order_by, sort: "asc" }, bob.token)).toEqual(await ids({ sort: "asc" }, bob.token));
      expect(await ids({ order_by })).toEqual(await ids());
    }
  });

  test("shows a project whose issues are private only to its members with with_issues_enabled", async () => {
    const restricted = await make({ name: "Few", visibility: "public", issues_access_level: "private" }, ann.token);
    const merging = { visibility: "public", merge_requests_access_level: "private" };
    const unmerged = await make({ name: "Fewer", ...merging }, ann.token);
    expect(await ids({ with_issues_enabled: true }, ann.token)).toContain(restricted.id);
    expect(await ids({ with_issues_enabled: true }, rootToken)).toContain(restricted.id);
    expect(await ids({ with_merge_requests_enabled: true }, ann.token)).toContain(unmerged.id);
    for (const token of [bob.token, undefined]) {
      expect(await ids({ with_issues_enabled: true }, token)).not.toContain(restricted.id);
      expect(await ids({ with_merge_requests_enabled: true }, token)).not.toContain(unmerged.id);
      expect(await ids({}, token)).toContain(restricted.id);
    }
    alter(restricted.id, { is_being_deleted: true });
    alter(unmerged.id, { is_being_deleted: true });
  });

  test("refuses invalid values", async () => {
    for (const [name, value, text] of [
      ["order_by", "random", "order_by does not have a valid value"],
      ["sort", "up", "sort does not have a valid value"],
      ["visibility", "secret", "visibility does not have a valid value"],
      ["min_access_level", "35", "min_access_level does not have a valid value"],
      ["id_after", "x", "id_after is invalid"],
      ["last_activity_after", "yesterday", "last_activity_after is invalid"],
      ["archived", "maybe", "archived is invalid"],
    ] as const) {
      const { status, body } = await world.call("GET", "/projects", { query: { [name]: value } });
      expect({ name, status, error: body.error }).toEqual({ name, status: 400, error: text });
    }
  });

  test("takes inclusive times, and updated_* with its order only", async () => {
    const { last_activity_at } = secret;
    expect(await ids({ last_activity_after: last_activity_at }, rootToken)).toEqual([bobs.id, anns.id, secret.id]);
    expect(await ids({ last_activity_before: last_activity_at }, rootToken)).toEqual([secret.id, inner.id, open.id]);
    const updated = { updated_after: last_activity_at, updated_before: last_activity_at };
    expect(await ids({ ...updated, order_by: "updated_at" }, rootToken)).toEqual([secret.id]);
    for (const query of [updated, { ...updated, order_by: "id" }, { updated_after: last_activity_at }]) {
      const { status, body } = await world.call("GET", "/projects", { token: rootToken, query });
      expect({ status, body }).toEqual({
        status: 400,
        body: { message: "400 Bad request - `updated_at` filter and `updated_at` sorting must be paired" },
      });
    }
  });

  test("puts exact names first by similarity, among the projects that the caller is a member of", async () => {
    const other = await make({ name: "My diary of all", path: "all" }, bob.token);
    const exact = await make({ name: "diary", path: "exact", visibility: "public" }, ann.token);
    const query = { search: "diary", order_by: "similarity" };
    expect(await ids(query, bob.token)).toEqual([bobs.id, other.id]);
    expect(await ids(query, ann.token)).toEqual([exact.id]);
    expect(await ids(query)).toEqual([exact.id]);
    alter(exact.id, { is_being_deleted: true });
    alter(other.id, { is_being_deleted: true });
    expect(await ids({ order_by: "similarity" }, rootToken)).toEqual(await ids({}, rootToken));
  });

  test("shows statistics to reporters and above, custom attributes to administrators", async () => {
    const [mine, , , notMine] = (
      await world.call("GET", "/projects", { token: ann.token, query: { statistics: true } })
    ).body;
    expect(mine.statistics).toMatchObject({ commit_count: 0, storage_size: 0, container_registry_size: 0 });
    expect(notMine.statistics).toBeDefined();
    const stranger = (await world.call("GET", "/projects", { token: ext.token, query: { statistics: true } })).body;
    expect(stranger.every((project: Json) => project.statistics === undefined)).toBe(true);
    const query = { with_custom_attributes: true };
    expect((await world.get("/projects", { query })).body[0].custom_attributes).toEqual([]);
    expect(
      (await world.call("GET", "/projects", { token: ann.token, query })).body[0].custom_attributes,
    ).toBeUndefined();
  });
});

describe("GET /projects by keyset", () => {
  async function walk(sort: "asc" | "desc", token?: string) {
    const seen: number[] = [];
    const links: string[] = [];
    let next: string | undefined = `/projects?pagination=keyset&order_by=id&sort=${sort}&per_page=2&archived=false`;
    while (next !== undefined) {
      const { status, body, headers } = await world.call("GET", next, { token });
      expect(status).toBe(200);
      expect([...headers.keys()].filter((name) => /^x-(page|per-page|total|next-page|prev-page)/.test(name))).toEqual(
        [],
      );
      seen.push(...body.map(({ id }: Json) => id));
      const link = headers.get("link");
      expect(link === null).toBe(body.length === 0);
      next = link === null ? undefined : /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(link)?.[1];
      if (next !== undefined) links.push(next);
    }
    return { seen, links };
  }

  test("continues by id_after and id_before, with a link on every page with records", async () => {
    const up = await walk("asc", rootToken);
    expect(up.seen).toEqual([open.id, inner.id, secret.id, anns.id, bobs.id]);
    expect(up.links).toHaveLength(3);
    expect(up.links[0]).toBe("/projects?pagination=keyset&order_by=id&sort=asc&per_page=2&archived=false&id_after=2");
    expect((await walk("desc", rootToken)).seen).toEqual([...up.seen].reverse());
    expect((await walk("asc")).seen).toEqual([open.id, anns.id]);
  });

  test("requires the order", async () => {
    for (const query of ["pagination=keyset", "pagination=keyset&order_by=name", "pagination=keyset&sort=asc"]) {
      const { status, body } = await world.call("GET", `/projects?${query}`, { token: ann.token });
      expect({ query, status, body }).toEqual({
        query,
        status: 405,
        body: { error: "Keyset pagination is not yet available for this type of request" },
      });
    }
  });
});

describe("GET /users/:user_id/projects", () => {
  test("lists the personal namespace by id or name, as far as the caller sees it", async () => {
    for (const who of [ann.id, "ann", "ANN"]) {
      const { status, body, headers } = await world.call("GET", `/users/${who}/projects`);
      expect(status).toBe(200);
      expect(body.map(({ id }: Json) => id)).toEqual([anns.id]);
      expect(headers.get("x-total")).toBe("1");
    }
    expect((await world.call("GET", `/users/${bob.id}/projects`)).body).toEqual([]);
    expect(
      (await world.call("GET", `/users/${bob.id}/projects`, { token: bob.token })).body[0].permissions,
    ).toBeDefined();
    expect((await world.call("GET", "/users/bob/projects?id_after=5", { token: bob.token })).body).toEqual([]);
    const updated = await world.call("GET", "/users/bob/projects", {
      query: { updated_after: "2000-01-01T00:00:00Z" },
    });
    expect(updated.status).toBe(200);
  });

  test("is 404 for an unknown name, and ignores keyset", async () => {
    for (const who of ["nobody", "99999", "99999999999999999999", "__proto__", "a%2Fb"]) {
      const { status, body } = await world.call("GET", `/users/${who}/projects`);
      expect({ who, status, body }).toEqual({ who, status: 404, body: { message: "404 User Not Found" } });
    }
    const { status, headers } = await world.call("GET", "/users/ann/projects?pagination=keyset");
    expect(status).toBe(200);
    expect(headers.get("x-page")).toBe("1");
  });
});
