import { describe, expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { selfAndDescendants } from "../../../src/modules/core/namespaces/index.ts";
import { makeGroup } from "../../support/fixtures/groups.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type CallOptions, type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann", name: "Ann Arbor" });
const mia = await world.user({ username: "Mia", name: "Mia Moor" });

const acme = await makeGroup(world, { path: "acme", name: "Acme Corp", visibility: "public" }, ann.token);
const core = await makeGroup(world, { path: "core", parent_id: acme.id }, ann.token);
await makeGroup(world, { path: "other" });
places.member(core, mia.id, 30);
places.project(core.id, { path: "app" });
places.project(acme.id, { path: "web" });

const list = async (token: string, query: CallOptions["query"] = {}): Promise<string[]> => {
  const { status, body, text } = await world.call("GET", "/namespaces", { token, query });
  if (status !== 200) throw new Error(text);
  return body.map((namespace: Json) => namespace.full_path);
};
const show = (id: number | string, token: string) => world.call("GET", `/namespaces/${id}`, { token });

describe("the list", () => {
  test("has the caller's own namespace and the groups of their memberships", async () => {
    expect(await list(ann.token)).toEqual(["ann", "acme", "acme/core"]);
    expect(await list(mia.token)).toEqual(["Mia", "acme/core"]);
  });

  test("has all namespaces for administrators", async () => {
    expect(await list(rootToken)).toEqual(["root", "ann", "Mia", "acme", "acme/core", "other"]);
    expect(await list(rootToken, { owned_only: true })).toHaveLength(6);
  });

  test("can be limited to owned ones, and to the top level", async () => {
    expect(await list(mia.token, { owned_only: true })).toEqual(["Mia"]);
    expect(await list(ann.token, { owned_only: true })).toEqual(["ann", "acme", "acme/core"]);
    expect(await list(ann.token, { top_level_only: true })).toEqual(["ann", "acme"]);
    expect(await list(rootToken, { top_level_only: true })).toEqual(["root", "ann", "Mia", "acme", "other"]);
  });

  test("is searched by name and full path", async () => {
    expect(await list(rootToken, { search: "ACME" })).toEqual(["acme", "acme/core"]);
    expect(await list(rootToken, { search: "me/co" })).toEqual(["acme/core"]);
    expect(await list(rootToken, { search: "arbor" })).toEqual(["ann"]);
    expect(await list(rootToken, { search: "mia" })).toEqual(["Mia"]);
    expect(await list(mia.token, { search: "acme" })).toEqual(["acme/core"]);
    expect(await list(mia.token, { search: "moor" })).toEqual(["Mia"]);
    expect(await list(mia.token, { search: "arbor" })).toEqual([]);
    expect(await list(ann.token, { search: " " })).toHaveLength(3);
  });

  test("has pages with totals", async () => {
    const { headers, body } = await world.get("/namespaces", { query: { per_page: 2, page: 2 } });
    expect(body).toHaveLength(2);
    expect(headers.get("x-total")).toBe("6");
  });

  test("requires authentication", async () => {
    const { status, body } = await world.call("GET", "/namespaces");
    expect({ status, body }).toEqual({ status: 401, body: { message: "401 Unauthorized" } });
  });

  test("leaves out deleted groups", async () => {
    const gone = await makeGroup(world, { path: "gone" });
    await world.call("DELETE", `/groups/${gone.id}`, { token: rootToken });
    expect(await list(rootToken)).toHaveLength(6);
    expect((await show(gone.id, rootToken)).status).toBe(404);
  });
});

const plan = {
  plan: "default",
  end_of_subscription: null,
  trial: false,
  trial_ends_on: null,
  max_seats_used_changed_at: null,
  additional_purchased_storage_size: 0,
  additional_purchased_storage_ends_on: null,
  shared_runners_minutes_limit: null,
  extra_shared_runners_minutes_limit: null,
};

describe("a namespace", () => {
  test("of a group has counts and plan for its owners", async () => {
    const { status, body } = await show("ACME", ann.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: acme.id,
      name: "Acme Corp",
      path: "acme",
      kind: "group",
      full_path: "acme",
      parent_id: null,
      avatar_url: null,
      web_url: `${world.origin}/groups/acme`,
      members_count_with_descendants: 2,
      root_repository_size: 0,
      projects_count: 2,
      billable_members_count: 2,
      seats_in_use: 2,
      max_seats_used: 2,
      ...plan,
    });
    expect((await show(core.id, rootToken)).body).toMatchObject({ parent_id: acme.id, projects_count: 1 });
  });

  test("of a group is shown to members who do not own it", async () => {
    expect((await show("acme%2Fcore", mia.token)).body).toEqual({
      id: core.id,
      name: "core",
      path: "core",
      kind: "group",
      full_path: "acme/core",
      parent_id: acme.id,
      avatar_url: null,
      web_url: `${world.origin}/groups/acme/core`,
    });
  });

  test("of a user is shown to that user and administrators", async () => {
    for (const token of [mia.token, rootToken]) {
      expect((await show("mia", token)).body).toEqual({
        id: expect.any(Number),
        name: "Mia Moor",
        path: "Mia",
        kind: "user",
        full_path: "Mia",
        parent_id: null,
        avatar_url: mia.record.avatar_url,
        web_url: `${world.origin}/Mia`,
        billable_members_count: 1,
        seats_in_use: 1,
        max_seats_used: 1,
        ...plan,
      });
    }
  });

  test("is 404 for users without a role in it, even in a public group", async () => {
    const stranger = await world.user();
    for (const id of [acme.id, "acme", core.id, "mia", 999_999, "nothing"]) {
      const { status, body } = await show(id, stranger.token);
      expect({ id, status, body }).toEqual({ id, status: 404, body: { message: "404 Namespace Not Found" } });
    }
    // A member of a subgroup is none of the group.
    expect((await show(acme.id, mia.token)).status).toBe(404);
  });

  test("follows a new name and path of its group", async () => {
    const group = await makeGroup(world, { path: "before" }, ann.token);
    await world.call("PUT", `/groups/${group.id}`, { token: ann.token, json: { name: "After", path: "after" } });
    expect((await show(group.id, ann.token)).body).toMatchObject({ name: "After", path: "after", full_path: "after" });
  });

  test("has no plan in the community edition", async () => {
    const community = await startWorld({ edition: "community" });
    const group = await makeGroup(community, { path: "plain" });
    const { body } = await community.get(`/namespaces/${group.id}`);
    expect(body).toMatchObject({ members_count_with_descendants: 1, projects_count: 0 });
    for (const name of ["plan", "billable_members_count", "trial"]) expect(body).not.toHaveProperty(name);
  });
});

describe("the check of a path", () => {
  const exists = async (path: string, query: CallOptions["query"] = {}, token = mia.token) =>
    (await world.call("GET", `/namespaces/${path}/exists`, { token, query })).body;

  test("says whether it is taken, with a free suggestion", async () => {
    expect(await exists("ACME")).toEqual({ exists: true, suggests: ["ACME1"] });
    expect(await exists("ann")).toEqual({ exists: true, suggests: ["ann1"] });
    expect(await exists("nothing")).toEqual({ exists: false, suggests: [] });
    await makeGroup(world, { path: "acme1" });
    expect(await exists("acme")).toEqual({ exists: true, suggests: ["acme2"] });
  });

  test("checks below a parent that the caller sees", async () => {
    expect(await exists("core", { parent_id: acme.id })).toEqual({ exists: true, suggests: ["core1"] });
    expect(await exists("core")).toEqual({ exists: false, suggests: [] });
    const hidden = await makeGroup(world, { path: "hidden" });
    await makeGroup(world, { path: "inner", parent_id: hidden.id });
    expect(await exists("inner", { parent_id: hidden.id })).toEqual({ exists: false, suggests: [] });
    expect(await exists("inner", { parent_id: hidden.id }, rootToken)).toMatchObject({ exists: true });
  });

  test("requires credentials", async () => {
    expect((await world.call("GET", "/namespaces/acme/exists")).status).toBe(401);
  });
});

test("each group of a walk downwards is work of the request", async () => {
  const top = await makeGroup(world, { path: "top-of-many" });
  for (let at = 0; at < 50; at += 1) places.group({ parent_id: top.id, path: `below-${at}` });
  const budget = new WorkBudget();
  expect(withBudget(budget, () => selfAndDescendants(world.store, top.id))).toHaveLength(51);
  expect(budget.steps).toBeGreaterThan(50 * 20);
});
