import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { labelPriorities, labels } from "../../../../src/modules/planning/labels/records.ts";
import { milestones } from "../../../../src/modules/planning/milestones/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import { addMilestone } from "../../../support/planning/labels.ts";

const world = await startWorld();
const places = placesOf(world);
const titles = ({ body }: Json) => body.map(({ title }: Json) => title);

describe("the list of milestones", () => {
  const outer = places.group();
  const group = places.group({ parent_id: outer.id });
  const project = places.project(group.id);
  const source = { type: "project", id: project.id } as const;
  addMilestone(world, { type: "group", id: outer.id }, { title: "outer" });
  addMilestone(world, { type: "group", id: group.id }, { title: "inner" });
  addMilestone(world, source, { title: "1.0", state: "closed", updated_at: "2024-01-01T00:00:00.000Z" });
  addMilestone(world, source, { title: "2.0", description: "The BIG one", updated_at: "2024-02-01T00:00:00.000Z" });
  addMilestone(world, source, { title: "3.0 big", updated_at: "2024-03-01T00:00:00.000Z" });
  const path = `/projects/${project.id}/milestones`;

  test.each([
    ["", ["3.0 big", "2.0", "1.0"]],
    ["state=active", ["3.0 big", "2.0"]],
    ["state=closed", ["1.0"]],
    ["state=all", ["3.0 big", "2.0", "1.0"]],
    ["iids[]=1&iids[]=3", ["3.0 big", "1.0"]],
    ["iids[]=9", []],
    ["title=2.0", ["2.0"]],
    ["title=3.0", []],
    ["search=bIg", ["3.0 big", "2.0"]],
    ["search=big&state=closed", []],
    ["updated_after=2024-02-01T00:00:00Z", ["3.0 big", "2.0"]],
    ["updated_before=2024-02-01T00:00:00Z", ["2.0", "1.0"]],
    ["include_ancestors=true", ["3.0 big", "2.0", "1.0", "inner", "outer"]],
    ["include_parent_milestones=1&title=inner", ["inner"]],
    ["include_ancestors=true&iids[]=1&title=outer", ["outer"]],
  ])("with %j is %j", async (query, expected) => {
    expect(titles(await world.get(path, { query }))).toEqual(expected);
  });

  test("of a group has its own, and on request those of the groups above that the caller sees", async () => {
    const inGroup = `/groups/${group.id}/milestones`;
    expect(titles(await world.get(inGroup))).toEqual(["inner"]);
    const query = "include_ancestors=true";
    expect(titles(await world.get(inGroup, { query }))).toEqual(["inner", "outer"]);
    const { token } = await world.user();
    const open = places.project(group.id, { visibility: "public" });
    const inOpen = `/projects/${open.id}/milestones`;
    expect(titles(await world.get(inOpen, { query }))).toEqual(["inner", "outer"]);
    expect(titles(await world.call("GET", inOpen, { token, query }))).toEqual([]);
  });

  test("of a group leaves out private groups above that the caller sees for a subgroup without projects alone", async () => {
    const bare = places.group({ parent_id: outer.id });
    addMilestone(world, { type: "group", id: bare.id }, { title: "bare" });
    const { id, token } = await world.user();
    places.member(bare, id, accessLevels.guest);
    const list = async () =>
      titles(await world.call("GET", `/groups/${bare.id}/milestones`, { token, query: "include_ancestors=true" }));
    expect(await list()).toEqual(["bare"]);
    places.project(bare.id);
    expect(await list()).toEqual(["bare", "outer"]);
  });

  test("of a group has on request those of the groups and projects below that the caller sees", async () => {
    const top = places.group({ visibility: "public" });
    const middle = places.group({ parent_id: top.id, visibility: "public" });
    const [open, hidden] = [places.group({ parent_id: middle.id }), places.group({ parent_id: middle.id })];
    const [inOpen, inMiddle] = [places.project(open.id), places.project(middle.id)];
    for (const group of [top, middle, open, hidden]) {
      addMilestone(world, { type: "group", id: group.id }, { title: `group ${group.id}` });
    }
    for (const { id } of [inOpen, inMiddle]) addMilestone(world, { type: "project", id }, { title: `project ${id}` });
    const { id, token } = await world.user();
    places.member(open, id, accessLevels.developer);
    const list = async (query: string) =>
      titles(await world.call("GET", `/groups/${middle.id}/milestones`, { token, query }));
    const [above, own] = [`group ${top.id}`, `group ${middle.id}`];
    const below = [`project ${inOpen.id}`, `group ${open.id}`];
    expect(await list("")).toEqual([own]);
    expect(await list("include_descendants=true")).toEqual([...below, own]);
    expect(await list("include_descendants=true&iids[]=1&state=active")).toEqual([...below, own]);
    expect(await list("include_descendants=true&iids[]=2")).toEqual([]);
    expect(await list("include_ancestors=true")).toEqual([own, above]);
    expect(await list("include_ancestors=true&include_descendants=true")).toEqual([...below, own, above]);
  });

  test("has pages", async () => {
    const { body, headers } = await world.get(path, { query: { per_page: 2, page: 2 } });
    expect(titles({ body })).toEqual(["1.0"]);
    expect(headers.get("x-total")).toBe("3");
  });

  test.each([
    ["state=open", "state does not have a valid value"],
    ["iids[]=x", "iids is invalid"],
    ["updated_after=soon", "updated_after is invalid"],
    ["include_ancestors=perhaps", "include_ancestors is invalid"],
    [
      "include_ancestors=true&include_parent_milestones=true",
      "include_ancestors, include_parent_milestones are mutually exclusive",
    ],
  ])("with %s is refused: %s", async (query, error) => {
    const { status, body } = await world.get(path, { query });
    expect([status, body.error]).toEqual([400, error]);
  });
});

describe("promoting a milestone", () => {
  test("makes it a group milestone, and merges those of its projects into it", async () => {
    const group = places.group();
    const [project, sibling] = [places.project(group.id), places.project(group.id)];
    const ann = await world.user();
    places.member(group, ann.id, accessLevels.planner);
    addMilestone(world, { type: "group", id: group.id }, { title: "other" });
    const milestone = addMilestone(world, { type: "project", id: project.id }, { title: "1.0" });
    const twin = addMilestone(world, { type: "project", id: sibling.id }, { title: "1.0" });
    const [issue] = addIssues(world, sibling.id, [{ milestone_id: twin.id }]);
    const path = `/projects/${project.id}/milestones/${milestone.id}/promote`;
    const { status, body } = await world.call("POST", path, { token: ann.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: milestone.id, iid: 2, group_id: group.id, title: "1.0" });
    expect(body).not.toHaveProperty("project_id");
    expect((await world.get(`/projects/${sibling.id}/milestones`)).body).toEqual([]);
    expect((await world.get(`/projects/${sibling.id}/issues/${issue?.iid}`)).body.milestone).toEqual(body);
    expect((await world.call("POST", path, { token: ann.token })).body).toEqual({ message: "404 Milestone Not Found" });
  });

  test("is refused without a group, and without the right there", async () => {
    const owner = await world.user();
    const group = places.group();
    const project = places.project(group.id);
    places.member(project, owner.id, accessLevels.owner);
    const promote = async (of: typeof project, token: string) => {
      const { id } = addMilestone(world, { type: "project", id: of.id });
      return world.call("POST", `/projects/${of.id}/milestones/${id}/promote`, { token });
    };
    expect(await promote(project, owner.token)).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
    const own = places.project(owner.record.namespace_id);
    expect(await promote(own, rootToken)).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
  });
});

test("labels and milestones are deleted with their project and their group", async () => {
  const group = places.group();
  const project = places.project(group.id);
  const token = rootToken;
  const path = `/projects/${project.id}`;
  await world.call("POST", `${path}/labels`, { token, json: { name: "a", color: "red", priority: 1 } });
  await world.call("POST", `/groups/${group.id}/labels`, { token, json: { name: "b", color: "red" } });
  await world.call("PUT", `${path}/labels/b`, { token, json: { priority: 1 } });
  await world.call("POST", `${path}/labels/a/subscribe`, { token });
  await world.call("POST", `${path}/milestones`, { token, json: { title: "1.0" } });
  const left = () => [
    world.store.of(labels).by.source.find(`project ${project.id}`).size,
    world.store.of(labelPriorities).by.project_id.find(project.id).size,
    world.store.of(milestones).by.source.find(`project ${project.id}`).size,
  ];
  expect(left()).toEqual([1, 2, 1]);
  expect((await world.call("DELETE", path, { token })).status).toBe(202);
  await world.jobsDone();
  expect(left()).toEqual([0, 0, 0]);
  expect((await world.get(`/groups/${group.id}/labels`)).body).toHaveLength(1);
  expect((await world.call("DELETE", `/groups/${group.id}`, { token })).status).toBe(202);
  await world.jobsDone();
  expect(world.store.of(labels).by.source.find(`group ${group.id}`).size).toBe(0);
});
