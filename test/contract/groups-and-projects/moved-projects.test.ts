import { describe, expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { findMovedProject, moveNamespace, updateGroupRecord } from "../../../src/modules/core/namespaces/index.ts";
import { type GroupRecord, groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "./setting.ts";

const world = await startWorld();
const places = placesOf(world);
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
let count = 0;

async function make(namespace_id: number | undefined, more: object = {}): Promise<Json> {
  const json = { path: `p${++count}`, namespace_id, ...more };
  return (await world.call("POST", "/projects", { token: rootToken, json })).body;
}
const at = (fullPath: string, rest = "") => `/projects/${encodeURIComponent(fullPath)}${rest}`;
const rename = (id: number, path: string) => world.call("PUT", `/projects/${id}`, { token: rootToken, json: { path } });

async function expectMoved(fullPath: string, id: number, token: string | undefined = rootToken): Promise<void> {
  const { status, headers, text } = await world.call("GET", at(fullPath), { token });
  const location = `${world.origin}/api/v4/projects/${id}`;
  expect({ fullPath, status, location: headers.get("location"), text }).toEqual({
    fullPath,
    status: 301,
    location,
    text: `This resource has been moved permanently to ${location}`,
  });
}

describe("a project that was renamed", () => {
  test("redirects GET and HEAD at its old path, below it too, with the query", async () => {
    const group = places.group({ path: "renames", visibility: "public" });
    const { id, path } = await make(group.id, { visibility: "public" });
    await rename(id, "newer");
    await expectMoved(`renames/${path}`, id);
    await expectMoved(`RENAMES/${path.toUpperCase()}`, id, undefined);
    const below = await world.call("GET", at(`renames/${path}`, "/users?search=a%2Fb&skip_users[]=3"), {
      token: rootToken,
    });
    const location = `${world.origin}/api/v4/projects/${id}/users?search=a%2Fb&skip_users[]=3`;
    expect(below.headers.get("location")).toBe(location);
    const head = await world.call("HEAD", at(`renames/${path}`, "/groups"));
    expect({ status: head.status, location: head.headers.get("location") }).toEqual({
      status: 301,
      location: `${world.origin}/api/v4/projects/${id}/groups`,
    });
    const followed = await world.call("GET", location.slice(world.origin.length), { token: rootToken });
    expect(followed.status).toBe(200);
    await rename(id, "newest");
    await expectMoved(`renames/${path}`, id);
    await expectMoved("renames/newer", id);
    await rename(id, "newer");
    expect((await world.get(at("renames/newer"))).body.id).toBe(id);
  });

  test("refuses all other methods there", async () => {
    const group = places.group({ path: "methods" });
    const { id, path } = await make(group.id);
    await rename(id, "other");
    for (const [method, rest, json] of [
      ["PUT", "", { name: "x" }],
      ["DELETE", "", undefined],
      ["POST", "/star", undefined],
      ["PUT", "/transfer", { namespace: "x" }],
    ] as const) {
      const { status, body } = await world.call(method, at(`methods/${path}`, rest), { token: rootToken, json });
      expect({ method, status, body }).toEqual({
        method,
        status: 405,
        body: { message: "Non GET methods are not allowed for moved projects" },
      });
    }
    expect((await world.call("POST", at(`methods/${path}`, "/star"))).status).toBe(401);
  });

  test("is not revealed to callers who cannot see it", async () => {
    const group = places.group({ path: "secrets" });
    const { id, path } = await make(group.id);
    await rename(id, "hidden");
    for (const token of [undefined, bob.token]) {
      const { status, body } = await world.call("GET", at(`secrets/${path}`), { token });
      expect({ status, body }).toEqual({ status: 404, body: { message: "404 Project Not Found" } });
    }
    expect((await world.call("POST", at(`secrets/${path}`, "/star"), { token: bob.token })).status).toBe(404);
    addMember(world, group, bob, "guest");
    await expectMoved(`secrets/${path}`, id, bob.token);
  });

  test("yields to a new project at the old path, and redirects again when that is deleted", async () => {
    const group = places.group({ path: "wins" });
    const { id, path } = await make(group.id);
    await rename(id, "moved");
    const winner = await make(group.id, { path, name: "winner" });
    expect((await world.get(at(`wins/${path}`))).body.id).toBe(winner.id);
    await world.call("DELETE", `/projects/${winner.id}`, { token: rootToken });
    await expectMoved(`wins/${path}`, id);
  });

  test("behind a hidden new project has no redirect", async () => {
    const group = places.group({ path: "shadow", visibility: "public" });
    const { id, path } = await make(group.id, { visibility: "public" });
    await rename(id, "seen");
    await make(group.id, { path, name: "shade", visibility: "private" });
    expect((await world.call("GET", at(`shadow/${path}`), { token: bob.token })).status).toBe(404);
  });

  test("leaves no redirect when it is deleted", async () => {
    const group = places.group({ path: "gone" });
    const { id, path } = await make(group.id);
    await rename(id, "later");
    await world.call("DELETE", `/projects/${id}`, { token: rootToken });
    for (const each of [path, "later"]) expect((await world.get(at(`gone/${each}`))).status).toBe(404);
    await world.jobsDone();
    for (const each of [path, "later"]) expect((await world.get(at(`gone/${each}`))).status).toBe(404);
  });
});

describe("a project whose path changed", () => {
  test("by a transfer, is found at its old path", async () => {
    const from = places.group({ path: "from" });
    const to = places.group({ path: "to" });
    const { id, path } = await make(from.id);
    await world.call("PUT", `/projects/${id}/transfer`, { token: rootToken, json: { namespace: to.id } });
    await expectMoved(`from/${path}`, id);
    expect((await world.get(at(`to/${path}`))).body.id).toBe(id);
    await rename(id, `${path}-x`);
    await expectMoved(`from/${path}`, id);
    await expectMoved(`to/${path}`, id);
  });

  test("with a rename or move of a group above it, is found at its old path", async () => {
    const top = places.group({ path: "top" });
    const mid = places.group({ path: "mid", parent_id: top.id });
    const low = places.group({ path: "low", parent_id: mid.id });
    const elsewhere = places.group({ path: "elsewhere" });
    const { id, path } = await make(low.id);
    const change = (groupId: number, attributes: object) =>
      world.store.transact((tx) => {
        const group = world.store.of(groups).get(groupId);
        if (group === undefined) throw new Error("no group");
        updateGroupRecord(tx, world.store, { ...group, ...attributes });
      });
    change(mid.id, { path: "middle" });
    await expectMoved(`top/mid/low/${path}`, id);
    change(mid.id, { parent_id: elsewhere.id });
    await expectMoved(`top/mid/low/${path}`, id);
    await expectMoved(`top/middle/low/${path}`, id);
    change(top.id, { path: "peak" });
    await expectMoved(`top/middle/low/${path}`, id);
    await rename(id, "last");
    await expectMoved(`elsewhere/middle/low/${path}`, id);
    expect((await world.get(`/groups/${encodeURIComponent("top/middle")}`)).status).toBe(404);
  });

  test("with its user's new name, is found at its old path", async () => {
    const { body } = await world.call("POST", "/projects", { token: ann.token, json: { name: "mine" } });
    world.store.transact((tx) =>
      moveNamespace(tx, world.store, { ...body.namespace, id: body.namespace.id, path: "anna", name: "Anna" }),
    );
    await expectMoved("ann/mine", body.id, ann.token);
    expect((await world.call("GET", at("anna/mine"), { token: ann.token })).body.id).toBe(body.id);
  });
});

test("groups that have their old names again are looked up once", async () => {
  const names: string[] = [];
  let parent_id: number | null = null;
  for (let depth = 0; depth < 24; depth += 1) {
    const path = `deep${depth}`;
    const group: GroupRecord = places.group({ path, parent_id });
    world.store.transact((tx) => {
      updateGroupRecord(tx, world.store, { ...group, path: `other${depth}` });
      updateGroupRecord(tx, world.store, group);
    });
    names.push(path);
    parent_id = group.id;
  }
  // Twice as many ways at each level would take all the memory there is.
  expect((await world.get(at([...names, "none"].join("/")))).status).toBe(404);
});

test("no other path is redirected", async () => {
  for (const path of [
    "1x",
    "no%2Fbody",
    "a%252Fb",
    "..%2F..%2Fetc",
    "%2F",
    "a%2F",
    "%2Fa",
    "__proto__%2Fconstructor",
    "-1",
    "99999999999999999999",
  ]) {
    const { status, body } = await world.get(`/projects/${path}`);
    expect({ path, status, body }).toEqual({ path, status: 404, body: { message: "404 Project Not Found" } });
  }
  expect((await world.get("/projects/ann/mine")).body).toEqual({ error: "404 Not Found" });
  expect((await world.get("/projects/a%00b%2Fc")).status).toBe(400);
});

/** The steps to look for a project that was moved. */
function stepsOf(fullPath: string): number {
  const budget = new WorkBudget();
  withBudget(budget, () => findMovedProject(world.store, fullPath));
  return budget.steps;
}

test("former paths that lead round in a circle end with the depth that groups have", async () => {
  const outer = places.group({ path: "round" });
  const inner = places.group({ path: "round", parent_id: outer.id });
  const send = (path: string, json: object) => world.call("POST", path, { token: rootToken, json });
  const steps = [
    await world.call("PUT", `/groups/${inner.id}`, { token: rootToken, json: { path: "inner" } }),
    await send(`/groups/${inner.id}/transfer`, {}),
    await send(`/groups/${outer.id}/transfer`, { group_id: inner.id }),
    await send(`/groups/${outer.id}/transfer`, {}),
  ];
  expect(steps.map(({ status }) => status)).toEqual([200, 201, 201, 201]);
  // Not even the circle of two groups is walked for longer than a path can be.
  expect(stepsOf(`${"round/".repeat(20)}x`)).toBeGreaterThan(0);
  expect(stepsOf(`${"round/".repeat(5_000)}x`)).toBe(0);
});

test("of the groups that one path has led to, a few are looked at", () => {
  const top = places.group({ path: "wide" });
  let level: { readonly id: number }[] = [top];
  for (let depth = 0; depth < 8; depth += 1) {
    level = level.flatMap(({ id }) => {
      const renamed = places.group({ path: "wide", parent_id: id });
      world.store.transact((tx) => updateGroupRecord(tx, world.store, { ...renamed, path: "was-wide" }));
      return [renamed, places.group({ path: "wide", parent_id: id })];
    });
  }
  // Each of the 255 groups with a former one below takes 10 steps.
  const steps = stepsOf(`${"wide/".repeat(9)}x`);
  expect(steps).toBeGreaterThan(1_000);
  expect(steps).toBeLessThan(1_500);
});
