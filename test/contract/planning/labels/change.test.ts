import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { labelPriorities } from "../../../../src/modules/planning/labels/records.ts";
import { subscriptions } from "../../../../src/modules/planning/subscriptions/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import { addLabel } from "../../../support/planning/labels.ts";

const world = await startWorld();
const places = placesOf(world);
const group = places.group();
const project = places.project(group.id);
/** Manages the project, and reads the group. */
const ann = await world.user({ username: "ann" });
places.member(project, ann.id, accessLevels.reporter);
places.member(group, ann.id, accessLevels.guest);
/** Manages both. */
const bob = await world.user({ username: "bob" });
places.member(group, bob.id, accessLevels.planner);

const inProject = `/projects/${project.id}/labels`;
const inGroup = `/groups/${group.id}/labels`;
const own = (title?: string) =>
  addLabel(world, { type: "project", id: project.id }, title === undefined ? {} : { title });
const shared = (title?: string) =>
  addLabel(world, { type: "group", id: group.id }, title === undefined ? {} : { title });
type WithToken = { readonly token: string };
const put = (path: string, json: Json, { token }: WithToken = ann) => world.call("PUT", path, { token, json });
const remove = (path: string, { token }: WithToken = ann, options = {}) =>
  world.call("DELETE", path, { token, ...options });

const forbidden = { status: 403, body: { message: "403 Forbidden" } };
const taken = { status: 409, body: { message: "Label already exists" } };
const missing = { status: 404, body: { message: "404 Label Not Found" } };

describe("a change of a label", () => {
  test("changes the given attributes, and is shown on its issues at once", async () => {
    const label = own();
    const [issue] = addIssues(world, project.id, [{ label_ids: [label.id] }]);
    world.clock.advance(5_000);
    const json = { new_name: "better", color: "teal", description: "x", priority: 7 };
    const { status, body } = await put(`${inProject}/${encodeURIComponent(label.title)}`, json);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: label.id, name: "better", color: "#008080", description: "x", priority: 7 });
    const shown = await world.get(`/projects/${project.id}/issues/${issue?.iid}`);
    expect([shown.body.labels, shown.body.updated_at]).toEqual([["better"], issue?.updated_at]);
    expect((await put(`${inProject}/${label.id}`, { color: "#000" })).body).toMatchObject({
      ...{ name: "better", color: "#000000", description: "x", priority: 7 },
    });
  });

  test.each([
    [{ priority: null }, { priority: null }],
    [{ priority: "" }, { priority: null }],
    [{ priority: 0 }, { priority: 0 }],
    [{ description: null }, { description: null, description_html: "" }],
    [{ description: "" }, { description: "" }],
    [{ new_name: "same again" }, { name: "same again" }],
  ])("%j makes it %j", async (json, expected) => {
    const label = own();
    await put(`${inProject}/${label.id}`, { priority: 3, description: "old" });
    expect(await put(`${inProject}/${label.id}`, json)).toMatchObject({ status: 200, body: expected });
  });

  test("may keep its name", async () => {
    const label = own();
    expect((await put(`${inProject}/${label.id}`, { new_name: label.title })).status).toBe(200);
  });

  test("to a title that is taken there or above is refused", async () => {
    const [label, other, above] = [own(), own(), shared()];
    expect(await put(`${inProject}/${label.id}`, { new_name: other.title })).toMatchObject(taken);
    expect(await put(`${inProject}/${label.id}`, { new_name: ` ${above.title} ` })).toMatchObject(taken);
  });

  test.each([
    [{}, "new_name, color, description, priority, archived are missing, at least one parameter must be provided"],
    [{ new_name: null }, "new_name is empty"],
    [{ new_name: "" }, "new_name is empty"],
    [{ color: null }, "color is empty"],
    [{ priority: "x" }, "priority is invalid"],
  ])("%j is refused: %s", async (json, error) => {
    const { status, body } = await put(`${inProject}/${own().id}`, json);
    expect([status, body.error]).toEqual([400, error]);
  });

  test("without an attribute in a group is refused with the group's parameters", async () => {
    const { status, body } = await put(`${inGroup}/${shared().id}`, { priority: 1 }, bob);
    const error = "new_name, color, description, archived are missing, at least one parameter must be provided";
    expect([status, body]).toEqual([400, { error, message: error }]);
  });

  test.each([
    [{ color: "nope" }, { color: ["must be a valid color code"] }],
    [{ new_name: "a,b" }, { title: ["is invalid"] }],
    [{ priority: -1 }, { priority: ["must be greater than or equal to 0"] }],
  ])("%j is refused: %j", async (json, message) => {
    expect(await put(`${inProject}/${own().id}`, json)).toMatchObject({ status: 400, body: { message } });
  });

  test("of a group's label requires the right in the group, except for the priority in the project", async () => {
    const label = shared();
    for (const json of [{ new_name: "x" }, { color: "red" }, { description: null }, { color: "red", priority: 1 }]) {
      expect(await put(`${inProject}/${label.id}`, json)).toMatchObject(forbidden);
    }
    const { status, body } = await put(`${inProject}/${label.id}`, { priority: 4 });
    expect([status, body.priority, body.is_project_label]).toEqual([200, 4, false]);
    expect(await put(`${inProject}/${label.id}`, { color: "red", priority: 5 }, bob)).toMatchObject({
      ...{ status: 200, body: { color: "#FF0000", priority: 5 } },
    });
    expect((await world.get(`${inGroup}/${label.id}`)).body).not.toHaveProperty("priority");
  });

  test("is refused to guests, after the lookup of the label", async () => {
    expect(await put(`${inGroup}/${shared().id}`, { color: "red" })).toMatchObject(forbidden);
    expect(await put(`${inGroup}/nobody`, { color: "red" })).toMatchObject(missing);
    expect((await put(`${inGroup}/nobody`, {})).status).toBe(400);
  });
});

describe("the deprecated forms", () => {
  test("name the label in the body, by title or id", async () => {
    const [one, other] = [own(), shared()];
    expect((await put(inProject, { name: one.title, new_name: "renamed" })).body.id).toBe(one.id);
    expect((await put(inProject, { label_id: other.id, color: "red" }, bob)).body.id).toBe(other.id);
    expect((await put(inGroup, { label_id: other.id, description: "d" }, bob)).body.description).toBe("d");
    expect((await remove(inProject, ann, { json: { name: "renamed" } })).status).toBe(204);
    expect((await remove(inGroup, bob, { query: { label_id: other.id } })).status).toBe(204);
    expect(await put(inProject, { name: "renamed", color: "red" })).toMatchObject(missing);
    expect(await remove(inProject, ann, { json: { label_id: one.id } })).toMatchObject(missing);
  });

  test.each([
    ["PUT", { color: "red" }, "label_id, name are missing, exactly one parameter must be provided"],
    ["PUT", { color: "red", name: "x", label_id: 1 }, "label_id, name are mutually exclusive"],
    [
      "PUT",
      { name: "x" },
      "new_name, color, description, priority, archived are missing, at least one parameter must be provided",
    ],
    ["DELETE", {}, "label_id, name are missing, exactly one parameter must be provided"],
    ["DELETE", { label_id: "x" }, "label_id is invalid"],
  ])("%s with %j is refused: %s", async (method, json, error) => {
    const { status, body } = await world.call(method, inProject, { token: ann.token, json });
    expect([status, body.error]).toEqual([400, error]);
  });
});

describe("a label of a group above the own group", () => {
  const outer = places.group();
  const inner = places.group({ parent_id: outer.id });
  const below = places.project(inner.id);
  const label = addLabel(world, { type: "group", id: outer.id });
  const root = { token: rootToken };

  test.each([`/groups/${inner.id}/labels`, `/projects/${below.id}/labels`])(
    "is found, but not changed, in %s",
    async (path) => {
      const title = encodeURIComponent(label.title);
      for (const key of [label.id, title]) {
        expect((await world.get(`${path}/${key}`)).body.id).toBe(label.id);
        expect(await put(`${path}/${key}`, { color: "red" }, root)).toMatchObject(missing);
        expect(await remove(`${path}/${key}`, root)).toMatchObject(missing);
      }
      for (const named of [{ name: label.title }, { label_id: label.id }]) {
        expect(await put(path, { ...named, color: "red" }, root)).toMatchObject(missing);
        expect(await remove(path, root, { json: named })).toMatchObject(missing);
      }
      expect((await world.call("POST", `${path}/${title}/subscribe`, root)).status).toBeOneOf([201, 304]);
    },
  );
});

describe("the deletion of a label", () => {
  test("is shown on its issues at once", async () => {
    const [label, other] = [own(), own()];
    const [both, alone] = addIssues(world, project.id, [
      { label_ids: [label.id, other.id] },
      { label_ids: [label.id], state: "closed" },
    ]);
    const query = { with_counts: true, search: label.title };
    expect((await world.get(inProject, { query })).body).toMatchObject([
      { open_issues_count: 1, closed_issues_count: 1, open_merge_requests_count: 0 },
    ]);
    expect(await remove(`${inProject}/${label.id}`)).toMatchObject({ status: 204, body: undefined });
    const labelsOf = async (iid: number | undefined) =>
      (await world.get(`/projects/${project.id}/issues/${iid}`)).body.labels;
    expect(await labelsOf(both?.iid)).toEqual([other.title]);
    expect(await labelsOf(alone?.iid)).toEqual([]);
    expect(await remove(`${inProject}/${label.id}`)).toMatchObject(missing);
  });

  test("deletes its subscriptions and priorities", async () => {
    const label = own();
    await put(`${inProject}/${label.id}`, { priority: 1 });
    await world.call("POST", `${inProject}/${label.id}/subscribe`, { token: ann.token });
    const left = () => [
      world.store.of(labelPriorities).by.label_id.find(label.id).size,
      world.store.of(subscriptions).by.subject.find(`Label ${label.id}`).size,
    ];
    expect(left()).toEqual([1, 1]);
    await remove(`${inProject}/${label.id}`);
    expect(left()).toEqual([0, 0]);
  });

  test("is refused to guests, for a group's label without rights there, and for a changed one", async () => {
    const label = shared();
    expect(await remove(`${inGroup}/${label.id}`)).toMatchObject(forbidden);
    expect(await remove(`${inProject}/${label.id}`)).toMatchObject(forbidden);
    expect(await remove(`${inProject}/nobody`)).toMatchObject(missing);
    world.clock.advance(60_000);
    await put(`${inProject}/${label.id}`, { color: "red" }, bob);
    const headers = { "If-Unmodified-Since": label.updated_at };
    expect((await remove(`${inProject}/${label.id}`, bob, { headers })).status).toBe(412);
    expect((await remove(`${inProject}/${label.id}`, bob)).status).toBe(204);
  });
});

describe("with_counts", () => {
  test("counts the issues that the caller may read, in the project or below the group", async () => {
    const label = shared();
    const second = places.project(group.id);
    addIssues(world, project.id, [
      { label_ids: [label.id] },
      { label_ids: [label.id], confidential: true },
      { label_ids: [label.id], state: "closed" },
    ]);
    addIssues(world, second.id, [{ label_ids: [label.id] }]);
    const guest = await world.user();
    places.member(group, guest.id, accessLevels.guest);
    const counts = async (path: string, token: string) => {
      const query = { with_counts: true, search: label.title };
      const { body } = await world.call("GET", path, { token, query });
      return body.map((each: Json) => [each.open_issues_count, each.closed_issues_count]);
    };
    expect(await counts(inProject, bob.token)).toEqual([[2, 1]]);
    expect(await counts(inProject, guest.token)).toEqual([[1, 1]]);
    expect(await counts(inGroup, bob.token)).toEqual([[3, 1]]);
    expect(await counts(inGroup, guest.token)).toEqual([[2, 1]]);
    expect((await world.get(inGroup)).body[0]).not.toHaveProperty("open_issues_count");
  });
});
