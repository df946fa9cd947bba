import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { subscriptions } from "../../../../src/modules/planning/subscriptions/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addLabel } from "../../../support/planning/labels.ts";

const world = await startWorld();
const places = placesOf(world);
const outer = places.group();
const inner = places.group({ parent_id: outer.id });
const below = places.group({ parent_id: inner.id });
const hidden = places.group({ parent_id: below.id });
const project = places.project(inner.id);

const of = {
  outer: addLabel(world, { type: "group", id: outer.id }, { title: "m outer" }),
  inner: addLabel(world, { type: "group", id: inner.id }, { title: "Inner" }),
  below: addLabel(world, { type: "group", id: below.id }, { title: "below" }),
  hidden: addLabel(world, { type: "group", id: hidden.id }, { title: "hidden", description: "Quite a 100% hit" }),
  project: addLabel(world, { type: "project", id: project.id }, { title: "Zebra", description: "STRIPED animal" }),
};

const names = ({ body }: Json) => body.map(({ name }: Json) => name);

describe("the list of labels", () => {
  test("of a project has its own and those of the groups above, by name", async () => {
    const answer = await world.get(`/projects/${project.id}/labels`);
    expect(names(answer)).toEqual(["Inner", "m outer", "Zebra"]);
    expect(answer.body.map((label: Json) => label.is_project_label)).toEqual([false, false, true]);
    expect(answer.headers.get("x-total")).toBe("3");
  });

  test("excludes those from above on request", async () => {
    const query = { include_ancestor_groups: false };
    expect(names(await world.get(`/projects/${project.id}/labels`, { query }))).toEqual(["Inner", "Zebra"]);
    expect(names(await world.get(`/groups/${inner.id}/labels`, { query }))).toEqual(["Inner"]);
  });

  test("has archived labels alone, or only others, on request", async () => {
    const json = { name: "old", color: "#112233", archived: true };
    const old = (await world.call("POST", `/projects/${project.id}/labels`, { token: rootToken, json })).body;
    expect(old.archived).toBe(true);
    const archived = async (value: boolean) =>
      names(await world.get(`/projects/${project.id}/labels`, { query: { archived: value } }));
    expect(await archived(true)).toEqual(["old"]);
    expect(await archived(false)).not.toContain("old");
    const path = `/projects/${project.id}/labels/${old.id}`;
    const changed = await world.call("PUT", path, { token: rootToken, json: { archived: false } });
    expect([changed.status, changed.body.archived]).toEqual([200, false]);
    await world.call("DELETE", path, { token: rootToken });
  });

  test("of a group has those of its projects on request", async () => {
    const query = { only_group_labels: false, include_ancestor_groups: false };
    expect(names(await world.get(`/groups/${inner.id}/labels`, { query }))).toEqual(["Inner", "Zebra"]);
  });

  test("of a group has those of the groups above, and those of subgroups on request", async () => {
    expect(names(await world.get(`/groups/${inner.id}/labels`))).toEqual(["Inner", "m outer"]);
    const query = { include_descendant_groups: true };
    expect(names(await world.get(`/groups/${inner.id}/labels`, { query }))).toEqual([
      ...["below", "hidden", "Inner", "m outer"],
    ]);
    const onlyBelow = { ...query, include_ancestor_groups: false };
    expect(names(await world.get(`/groups/${inner.id}/labels`, { query: onlyBelow }))).toEqual([
      ...["below", "hidden", "Inner"],
    ]);
  });

  test("of a group leaves out hidden groups", async () => {
    const open = places.group({ visibility: "public" });
    const kept = places.group({ parent_id: open.id });
    addLabel(world, { type: "group", id: open.id }, { title: "open" });
    addLabel(world, { type: "group", id: kept.id }, { title: "kept" });
    const { token } = await world.user();
    const query = { include_descendant_groups: true };
    expect(names(await world.call("GET", `/groups/${open.id}/labels`, { token, query }))).toEqual(["open"]);
    expect(names(await world.get(`/groups/${open.id}/labels`, { query }))).toEqual(["kept", "open"]);
  });

  test.each([
    ["ZEB", ["Zebra"]],
    ["striped an", ["Zebra"]],
    ["n", ["Inner", "Zebra"]],
    ["  ", ["Inner", "m outer", "Zebra"]],
    ["%", []],
  ])("searched for %j has %j", async (search, found) => {
    expect(names(await world.get(`/projects/${project.id}/labels`, { query: { search } }))).toEqual(found);
  });

  test("has pages", async () => {
    const { body, headers } = await world.get(`/projects/${project.id}/labels`, { query: { per_page: 1, page: 2 } });
    expect(names({ body })).toEqual(["m outer"]);
    expect(["x-total", "x-total-pages", "x-next-page", "x-prev-page"].map((name) => headers.get(name))).toEqual([
      ...["3", "3", "3", "1"],
    ]);
  });

  test("is refused for a hidden place, and for invalid booleans", async () => {
    const { token } = await world.user();
    for (const [path, message] of [
      [`/projects/${project.id}/labels`, "404 Project Not Found"],
      [`/groups/${inner.id}/labels`, "404 Group Not Found"],
    ] as const) {
      expect(await world.call("GET", path, { token })).toMatchObject({ status: 404, body: { message } });
      expect(await world.call("GET", path)).toMatchObject({ status: 404, body: { message } });
      const { status, body } = await world.get(path, { query: { with_counts: "maybe" } });
      expect([status, body.error]).toEqual([400, "with_counts is invalid"]);
    }
  });

  test("of public places is open to anonymous callers", async () => {
    const group = places.group({ visibility: "public" });
    const open = places.project(group.id, { visibility: "public" });
    const { id } = addLabel(world, { type: "project", id: open.id });
    expect((await world.call("GET", `/projects/${open.id}/labels`)).body).toHaveLength(1);
    expect((await world.call("GET", `/projects/${open.id}/labels/${id}`)).body).toMatchObject({ subscribed: false });
    expect((await world.call("GET", `/groups/${group.id}/labels`)).body).toEqual([]);
  });
});

describe("one label", () => {
  test("is found by id and by title, from below too", async () => {
    for (const [path, label] of [
      [`/projects/${project.id}/labels`, of.project],
      [`/projects/${project.id}/labels`, of.outer],
      [`/groups/${inner.id}/labels`, of.inner],
      [`/groups/${inner.id}/labels`, of.outer],
    ] as const) {
      for (const key of [label.id, encodeURIComponent(label.title)]) {
        expect((await world.get(`${path}/${key}`)).body).toMatchObject({ id: label.id, name: label.title });
      }
    }
  });

  test("is found by a title with slashes, dots and percent signs", async () => {
    const title = "a/b.json 100% ünï";
    const { id } = addLabel(world, { type: "project", id: project.id }, { title });
    expect((await world.get(`/projects/${project.id}/labels/${encodeURIComponent(title)}`)).body.id).toBe(id);
  });

  test("of a title that is all digits is found when no label has that id", async () => {
    const source = { type: "project", id: project.id } as const;
    const byDigits = addLabel(world, source, { title: "90001" });
    const like = addLabel(world, source, { title: String(of.project.id) });
    const path = `/projects/${project.id}/labels`;
    expect((await world.get(`${path}/90001`)).body.id).toBe(byDigits.id);
    expect((await world.get(`${path}/${of.project.id}`)).body.id).toBe(of.project.id);
    expect((await world.get(`${path}/${like.id}`)).body.id).toBe(like.id);
  });

  test("of another place, a place below, or an unknown one is 404", async () => {
    const missing = { status: 404, body: { message: "404 Label Not Found" } };
    for (const key of [of.below.id, "below", "nobody", "zebra", "999999999999999999999"]) {
      expect(await world.get(`/projects/${project.id}/labels/${key}`)).toMatchObject(missing);
      expect(await world.get(`/groups/${inner.id}/labels/${key}`)).toMatchObject(missing);
    }
  });
});

describe("a subscription", () => {
  test("is personal, and asking for the current state changes nothing", async () => {
    const guest = await world.user();
    places.member(inner, guest.id, accessLevels.guest);
    const path = `/projects/${project.id}/labels`;
    const act = (verb: string, key: string | number = of.inner.id) =>
      world.call("POST", `${path}/${key}/${verb}`, { token: guest.token });
    expect((await act("unsubscribe")).status).toBe(304);
    expect(await act("subscribe", "Inner")).toMatchObject({ status: 201, body: { id: of.inner.id, subscribed: true } });
    expect((await act("subscribe")).status).toBe(304);
    const { body } = await world.call("GET", `/groups/${inner.id}/labels`, { token: guest.token });
    expect(body.map((label: Json) => [label.name, label.subscribed])).toEqual([
      ["Inner", true],
      ["m outer", false],
    ]);
    expect((await world.get(`${path}/Inner`)).body.subscribed).toBe(false);
    expect(await act("unsubscribe")).toMatchObject({ status: 201, body: { subscribed: false } });
    expect((await act("unsubscribe")).status).toBe(304);
    expect((await act("subscribe", "nobody")).body).toEqual({ message: "404 Label Not Found" });
    expect((await world.call("POST", `${path}/Inner/subscribe`)).status).toBe(401);
  });

  test("is deleted with its user", async () => {
    const { id, token } = await world.user();
    places.member(inner, id, accessLevels.guest);
    const path = `/groups/${inner.id}/labels/Inner/subscribe`;
    expect((await world.call("POST", path, { token })).status).toBe(201);
    expect(world.store.of(subscriptions).by.user_id.find(id).size).toBe(1);
    await world.call("DELETE", `/users/${id}`, { token: rootToken, json: { hard_delete: true } });
    expect(world.store.of(subscriptions).by.user_id.find(id).size).toBe(0);
  });
});
