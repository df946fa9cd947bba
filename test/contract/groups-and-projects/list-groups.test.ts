import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { upsertCustomAttribute } from "../../../src/modules/core/custom-attributes/index.ts";
import { removeNamespace, updateGroupRecord } from "../../../src/modules/core/namespaces/index.ts";
import { type GroupRecord, groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { insertGroups, makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type CallOptions, type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const bea = await world.user({ username: "bea" });
const external = await world.user({ username: "ext", external: true });

// acme (private) > core (private) > api; open (public) > tools (public), hidden (private); inside (internal)
const acme = await makeGroup(world, { name: "Acme Corp", path: "acme" });
const core = await makeGroup(world, { name: "Core", path: "core", parent_id: acme.id });
await makeGroup(world, { name: "Interfaces", path: "api", parent_id: core.id });
const open = await makeGroup(world, { name: "Open House", path: "open", visibility: "public" });
const tools = await makeGroup(world, { name: "Tools", path: "tools", parent_id: open.id, visibility: "public" });
const hidden = await makeGroup(world, { name: "Hidden", path: "hidden", parent_id: open.id });
const inside = await makeGroup(world, { name: "Inside", path: "inside", visibility: "internal" });
places.member(core, ann.id, 40);
places.member(inside, ann.id, 50);

type Query = CallOptions["query"];
const paths = async (path: string, token: string | undefined, query: Query = {}): Promise<string[]> => {
  const { status, body, text } = await world.call("GET", path, { token, query });
  if (status !== 200) throw new Error(text);
  return body.map((group: Json) => group.full_path);
};
const list = (token: string | undefined, query: Query = {}) => paths("/groups", token, query);

describe("the groups in a list", () => {
  test("of an anonymous caller are the public ones", async () => {
    expect(await list(undefined)).toEqual(["open", "open/tools"]);
    expect(await list(undefined, { all_available: false, owned: true })).toEqual(["open", "open/tools"]);
  });

  test("of a user are those of direct and inherited memberships", async () => {
    expect(await list(ann.token)).toEqual(["acme/core", "inside", "acme/core/api"]);
    expect(await list(bea.token)).toEqual([]);
  });

  test("with all_available are all that the caller can see", async () => {
    expect(await list(ann.token, { all_available: true })).toEqual([
      "acme",
      "acme/core",
      "inside",
      "acme/core/api",
      "open",
      "open/tools",
    ]);
    expect(await list(bea.token, { all_available: true })).toEqual(["inside", "open", "open/tools"]);
    expect(await list(external.token, { all_available: true })).toEqual(["open", "open/tools"]);
  });

  test("of an administrator are all, unless the request asks for their own", async () => {
    expect(await list(rootToken)).toEqual([
      "acme",
      "acme/core",
      "open/hidden",
      "inside",
      "acme/core/api",
      "open",
      "open/tools",
    ]);
    const boss = await world.user({ admin: true });
    expect(await list(boss.token, { all_available: false })).toEqual([]);
  });

  test("below a group have the same defaults", async () => {
    for (const path of [`/groups/${open.id}/subgroups`, `/groups/${open.id}/descendant_groups`]) {
      expect(await paths(path, undefined)).toEqual(["open/tools"]);
      expect(await paths(path, bea.token)).toEqual([]);
      expect(await paths(path, bea.token, { all_available: true })).toEqual(["open/tools"]);
      expect(await paths(path, rootToken)).toEqual(["open/hidden", "open/tools"]);
    }
    expect(await paths("/groups/acme/subgroups", ann.token)).toEqual(["acme/core"]);
    expect(await paths("/groups/acme/descendant_groups", ann.token)).toEqual(["acme/core", "acme/core/api"]);
    expect(await paths("/groups/acme%2Fcore/subgroups", ann.token)).toEqual(["acme/core/api"]);
  });

  test("of a hidden group are 404", async () => {
    for (const tail of ["subgroups", "descendant_groups"]) {
      const { status, body } = await world.call("GET", `/groups/acme/${tail}`, { token: bea.token });
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Group Not Found" } });
    }
  });
});

describe("a single group", () => {
  test("is found by id and by full path, whatever the case", async () => {
    for (const id of [core.id, "acme%2Fcore", "ACME%2fCore"]) {
      const { status, body } = await world.call("GET", `/groups/${id}`, { token: ann.token });
      expect({ status, id: body.id, full_path: body.full_path }).toEqual({
        status: 200,
        id: core.id,
        full_path: "acme/core",
      });
    }
    expect((await world.get("/groups/acme/core")).body).toEqual({ error: "404 Not Found" });
  });

  test("is shown to users who can see a subgroup or a project in it, and to no stranger", async () => {
    expect((await world.call("GET", "/groups/acme", { token: ann.token })).status).toBe(200);
    const { status, body } = await world.call("GET", "/groups/acme", { token: bea.token });
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 Group Not Found" } });
    const project = places.project(hidden.id, { path: "deep" });
    places.member(project, external.id, 30);
    expect((await world.call("GET", "/groups/open%2Fhidden", { token: external.token })).status).toBe(200);
  });

  test("shows its runners' token to owners and administrators only, and never in lists", async () => {
    expect((await world.call("GET", "/groups/inside", { token: ann.token })).body).toHaveProperty("runners_token");
    expect((await world.get("/groups/inside")).body).toHaveProperty("runners_token");
    for (const [path, token] of [
      ["/groups/acme%2Fcore", ann.token],
      ["/groups/open", undefined],
    ] as const) {
      expect((await world.call("GET", path, { token })).body).not.toHaveProperty("runners_token");
    }
    for (const entry of (await world.get("/groups")).body) expect(entry).not.toHaveProperty("runners_token");
  });

  test("has its own projects and those shared with it, as far as the caller sees them", async () => {
    const group = await makeGroup(world, { path: "with-projects", visibility: "public" });
    const [shown, secret] = [
      places.project(group.id, { path: "shown", visibility: "public" }),
      places.project(group.id, { path: "secret" }),
    ];
    const guest = places.project(open.id, { path: "guest", visibility: "public" });
    places.share(guest, world.store.of(groups).get(group.id) as GroupRecord, 30);
    const idsFor = async (token: string | undefined) => {
      const { body } = await world.call("GET", `/groups/${group.id}`, { token });
      return [body.projects, body.shared_projects].map((list) => list.map((project: Json) => project.id));
    };
    expect(await idsFor(rootToken)).toEqual([[secret.id, shown.id], [guest.id]]);
    expect(await idsFor(bea.token)).toEqual([[shown.id], [guest.id]]);
    expect(await idsFor(undefined)).toEqual([[shown.id], [guest.id]]);
    await world.call("DELETE", `/groups/${group.id}`, { token: rootToken });
  });

  test("leaves projects out on request", async () => {
    const { body } = await world.get("/groups/open", { query: { with_projects: false } });
    expect(body).not.toHaveProperty("projects");
    expect(body).not.toHaveProperty("shared_projects");
  });
});

describe("a filter", () => {
  test("by search finds part of a name, a path, or a full path", async () => {
    const search = (text: string) => list(rootToken, { search: text });
    expect(await search("ACME")).toEqual(["acme", "acme/core", "acme/core/api"]);
    expect(await search("corp")).toEqual(["acme"]);
    expect(await search("interf")).toEqual(["acme/core/api"]);
    expect(await search("cme/cor")).toEqual(["acme/core", "acme/core/api"]);
    expect(await search("acme/core/a")).toEqual(["acme/core/api"]);
    expect(await search("/core")).toEqual(["acme/core", "acme/core/api"]);
    expect(await search("/core/")).toEqual(["acme/core/api"]);
    expect(await search("open/")).toEqual(["open/hidden", "open/tools"]);
    expect(await search("acme/tools")).toEqual([]);
    expect(await search("nothing")).toEqual([]);
    expect(await search("")).toHaveLength(7);
    expect(await search("open hou")).toEqual(["open"]);
  });

  test("by search below a group reads names and paths only", async () => {
    expect(await paths("/groups/acme/descendant_groups", rootToken, { search: "acme" })).toEqual([]);
    expect(await paths("/groups/acme/descendant_groups", rootToken, { search: "inter" })).toEqual(["acme/core/api"]);
    expect(await paths("/groups/acme/subgroups", rootToken, { search: "inter" })).toEqual([]);
  });

  test("is visibility, skip_groups, top_level_only, owned, min_access_level", async () => {
    expect(await list(rootToken, { visibility: "internal" })).toEqual(["inside"]);
    expect(await list(undefined, { skip_groups: [open.id] })).toEqual(["open/tools"]);
    expect(await list(undefined, { skip_groups: `${open.id},${tools.id}` })).toEqual([]);
    expect(await list(rootToken, { top_level_only: true })).toEqual(["acme", "inside", "open"]);
    expect(await list(ann.token, { owned: true })).toEqual(["inside"]);
    expect(await list(ann.token, { owned: true, all_available: true })).toEqual(["inside"]);
    expect(await list(ann.token, { min_access_level: 40 })).toEqual(["acme/core", "inside", "acme/core/api"]);
    expect(await list(ann.token, { min_access_level: 50 })).toEqual(["inside"]);
    // An administrator's right to everything is no ownership.
    const boss = await world.user({ admin: true });
    expect(await list(boss.token, { owned: true })).toEqual([]);
  });

  test("refuses values outside its enumeration", async () => {
    for (const [name, value] of [
      ["visibility", "secret"],
      ["order_by", "size"],
      ["sort", "up"],
      ["min_access_level", "7"],
    ] as const) {
      const { status, body } = await world.get("/groups", { query: { [name]: value } });
      expect({ status, error: body.error }).toEqual({ status: 400, error: `${name} does not have a valid value` });
    }
    expect((await world.get("/groups", { query: { owned: "perhaps" } })).body.error).toBe("owned is invalid");
  });

  test("does not change that statistics and custom attributes are for administrators", async () => {
    world.store.transact((tx) =>
      upsertCustomAttribute(tx, world.context, { resource: "Group", id: open.id }, "team", "red"),
    );
    const query = { statistics: true, with_custom_attributes: true, search: "open house" };
    const [entry] = (await world.get("/groups", { query })).body;
    expect(entry.statistics).toEqual({
      storage_size: 0,
      repository_size: 0,
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 0,
      snippets_size: 0,
      uploads_size: 0,
    });
    expect(entry.custom_attributes).toEqual([{ key: "team", value: "red" }]);
    for (const token of [bea.token, undefined]) {
      const { body } = await world.call("GET", "/groups", { token, query: { ...query, all_available: true } });
      expect(body[0]).not.toHaveProperty("statistics");
      expect(body[0]).not.toHaveProperty("custom_attributes");
    }
    const [plain] = (await world.get("/groups")).body;
    expect(plain).not.toHaveProperty("statistics");
    expect((await world.get(`/groups/${open.id}`, { query })).body.custom_attributes).toHaveLength(1);
  });
});

describe("the order", () => {
  test("is by name, path or id, both ways", async () => {
    const top = (order_by: string, sort: string) => list(rootToken, { order_by, sort, top_level_only: true });
    expect(await top("name", "desc")).toEqual(["open", "inside", "acme"]);
    expect(await top("path", "asc")).toEqual(["acme", "inside", "open"]);
    expect(await top("path", "desc")).toEqual(["open", "inside", "acme"]);
    expect(await top("id", "asc")).toEqual(["acme", "open", "inside"]);
    expect(await top("id", "desc")).toEqual(["inside", "open", "acme"]);
    expect(await top("similarity", "desc")).toEqual(["acme", "inside", "open"]);
  });

  test("by similarity has exact matches first", async () => {
    const fresh = await startWorld();
    for (const path of ["a-tool", "tool-2", "tool"]) await makeGroup(fresh, { path });
    const { body } = await fresh.get("/groups", { query: { search: "tool", order_by: "similarity" } });
    expect(body.map((group: Json) => group.path)).toEqual(["tool", "a-tool", "tool-2"]);
  });

  test("of equal names is by ascending id, in both directions", async () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "B", " a", "é", "🚀"), minLength: 1, maxLength: 3 });
    const fresh = await startWorld();
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 8 }), async (names) => {
        const made: { id: number; name: string }[] = [];
        for (const [at, each] of names.entries()) {
          const id = insertGroups(fresh, 1, `t${fresh.store.version}-${at}`);
          const group = fresh.store.of(groups).get(id) as GroupRecord;
          fresh.store.transact((tx) => updateGroupRecord(tx, fresh.store, { ...group, name: each }));
          made.push({ id, name: each.toLowerCase() });
        }
        const ids = new Set(made.map(({ id }) => id));
        for (const [sort, sign] of [
          ["asc", 1],
          ["desc", -1],
        ] as const) {
          const { body } = await fresh.get("/groups", { query: { sort, per_page: 100 } });
          const got = body.map((group: Json) => group.id).filter((id: number) => ids.has(id));
          const compare = (one: string, other: string) => (one < other ? -sign : one > other ? sign : 0);
          const expected = made.toSorted((one, other) => compare(one.name, other.name) || one.id - other.id);
          expect(got).toEqual(expected.map(({ id }) => id));
        }
        fresh.store.transact((tx) => {
          for (const id of ids) removeNamespace(tx, fresh.store, id);
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe("pages", () => {
  test("are by offset, with totals", async () => {
    const { headers, body } = await world.get("/groups", { query: { per_page: 3, page: 2 } });
    expect(body).toHaveLength(3);
    expect(headers.get("x-total")).toBe("7");
    expect(headers.get("link")).toContain('rel="last"');
  });

  test("are by keyset, for anonymous and signed-in callers: a cursor, and none on the last page", async () => {
    for (const token of [undefined, rootToken]) {
      const seen: string[] = [];
      let url: string | undefined = "/api/v4/groups?pagination=keyset&order_by=name&sort=asc&per_page=1";
      for (let page = 0; url !== undefined && page < 20; page += 1) {
        const { headers, body } = await world.call("GET", url, { token });
        expect(headers.get("x-total")).toBeNull();
        seen.push(...body.map((group: Json) => group.full_path));
        const next = headers.get("link")?.match(/^<([^>]+)>; rel="next"$/)?.[1];
        if (next !== undefined) expect(next).toContain("cursor=");
        url = next?.slice(world.origin.length);
      }
      expect(seen).toEqual(await list(token));
    }
  });

  test("by keyset in another order are refused", async () => {
    for (const query of [
      { pagination: "keyset", order_by: "id" },
      { pagination: "keyset", sort: "desc" },
    ]) {
      const { status, body } = await world.get("/groups", { query });
      expect({ status, body }).toEqual({
        status: 405,
        body: { error: "Keyset pagination is not yet available for this type of request" },
      });
    }
  });

  test("with an offset that is too deep are refused", async () => {
    const { status, body } = await world.call("GET", "/groups", { query: { page: 501, per_page: 100 } });
    expect({ status, error: body.error }).toMatchObject({ status: 405, error: expect.stringContaining("type Group") });
  });
});
