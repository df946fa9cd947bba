import { beforeAll, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type CallOptions, type Json, type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const group = places.group({ path: "cars", visibility: "public" });
const below = places.group({ path: "small", parent_id: group.id, visibility: "public" });
const project = places.project(group.id, { path: "van", visibility: "public" });
const inBelow = places.project(below.id, { path: "mini", visibility: "public" });
let mia: Person;
let stranger: Person;

beforeAll(async () => {
  mia = await world.user({ username: "mia" });
  stranger = await world.user({ username: "sid" });
  places.member(group, mia.id, accessLevels.planner);
});

const idsOf = async (path: string, query: Readonly<Record<string, Json>> = {}, options: CallOptions = {}) => {
  const { status, body } = await world.call("GET", path, { query, ...options });
  expect(status).toBe(200);
  return body.map(({ id }: { id: number }) => id);
};

describe("visibility", () => {
  test("of public issues for anonymous callers is that of a project, a group, and of all with scope=all only", async () => {
    const open = tracker.issue(project, mia.id, { title: "open" });
    const secret = tracker.issue(project, mia.id, { confidential: true });
    for (const [path, query] of [
      [`/projects/${project.id}/issues`, {}],
      [`/groups/${group.id}/issues`, {}],
      ["/issues", { scope: "all" }],
    ] as const) {
      expect(await idsOf(path, query)).toEqual([open.id]);
      expect(await idsOf(path, query, { token: stranger.token })).toEqual([open.id]);
      expect(await idsOf(path, query, { token: mia.token })).toEqual([secret.id, open.id]);
    }
    for (const query of [{}, { scope: "created_by_me" }, { scope: "assigned_to_me" }]) {
      expect(await world.call("GET", "/issues", { query })).toMatchObject({
        status: 401,
        body: { message: "401 Unauthorized" },
      });
    }
    expect(await idsOf(`/projects/${project.id}/issues`, { scope: "created_by_me" })).toEqual([]);
  });

  test("of issues hides a whole project where they are off for the caller", async () => {
    const inner = places.project(group.id, { visibility: "public", settings: { issues_access_level: "private" } });
    const { id } = tracker.issue(inner, stranger.id);
    expect(await idsOf(`/projects/${inner.id}/issues`, {}, { token: stranger.token })).toEqual([]);
    expect(await idsOf("/issues", {}, { token: stranger.token })).toEqual([]);
    expect(await idsOf(`/projects/${inner.id}/issues`, {}, { token: mia.token })).toEqual([id]);
  });

  test("is everything for auditors", async () => {
    const auditor = await world.user({ username: "audrey" });
    world.alter(auditor.id, { is_auditor: true });
    const hidden = places.project(places.group({ visibility: "private" }).id);
    const { id } = tracker.issue(hidden, mia.id, { confidential: true });
    expect(await idsOf(`/projects/${hidden.id}/issues`, {}, { token: auditor.token })).toEqual([id]);
  });

  test("of issues of banned authors is for administrators", async () => {
    const villain = await world.user({ username: "vic" });
    const place = places.project(group.id, { visibility: "public" });
    const { id, iid } = tracker.issue(place, villain.id);
    world.alter(villain.id, { state: "banned" });
    expect(await idsOf(`/projects/${place.id}/issues`, {}, { token: mia.token })).toEqual([]);
    expect((await world.call("GET", `/projects/${place.id}/issues/${iid}`, { token: mia.token })).status).toBe(404);
    expect(await idsOf(`/projects/${place.id}/issues`, {}, { token: rootToken })).toEqual([id]);
  });
});

describe("a list", () => {
  test("has entries in the single form without subscribed, with references relative to the list", async () => {
    const { id, iid } = tracker.issue(inBelow, mia.id);
    const { subscribed, ...single } = (await world.get(`/projects/${inBelow.id}/issues/${iid}`)).body;
    expect(subscribed).toBe(false);
    for (const [path, relative] of [
      [`/projects/${inBelow.id}/issues`, `#${iid}`],
      [`/groups/${below.id}/issues`, `mini#${iid}`],
      [`/groups/${group.id}/issues`, `cars/small/mini#${iid}`],
      ["/issues?scope=all", `cars/small/mini#${iid}`],
    ] as const) {
      const entry = (await world.get(path)).body.find((each: Json) => each.id === id);
      expect(entry).toEqual({ ...single, references: { ...single.references, relative } });
    }
  });

  test("has labels as objects on request", async () => {
    const place = places.project(group.id);
    const label = tracker.label(place, "bug", { color: "#FFFFFF", description: "a :tada:" });
    tracker.issue(place, mia.id, { label_ids: [label.id] });
    const { body } = await world.get(`/projects/${place.id}/issues?with_labels_details=true`);
    expect(body[0].labels).toEqual([
      {
        ...{ id: label.id, name: "bug", color: "#FFFFFF", description: "a :tada:" },
        ...{ description_html: "a 🎉", text_color: "#1F1E24" },
      },
    ]);
  });

  test("hides issues of archived projects above the project, unless the request includes them", async () => {
    const inner = places.group({ parent_id: group.id });
    const archived = places.project(inner.id, { archived: true });
    const { id } = tracker.issue(archived, mia.id);
    expect(await idsOf(`/groups/${inner.id}/issues`, {}, { token: mia.token })).toEqual([]);
    expect(await idsOf(`/groups/${inner.id}/issues`, { non_archived: false }, { token: mia.token })).toEqual([id]);
    expect(await idsOf(`/projects/${archived.id}/issues`, {}, { token: mia.token })).toEqual([id]);
    expect(await idsOf("/issues", {}, { token: mia.token })).not.toContain(id);
    expect(await idsOf("/issues", { non_archived: false }, { token: mia.token })).toContain(id);
  });

  test("has pages with totals of what the caller sees", async () => {
    const place = places.project(group.id, { visibility: "public" });
    for (let count = 0; count < 7; count += 1) tracker.issue(place, mia.id, { confidential: count % 2 === 1 });
    const { headers, body } = await world.call("GET", `/projects/${place.id}/issues?per_page=3&page=2`);
    expect(body.length).toBe(1);
    expect([headers.get("x-total"), headers.get("x-total-pages")]).toEqual(["4", "2"]);
  });
});

test("the priority order uses the most urgent label, after the earliest due milestone", async () => {
  const place = places.project(group.id);
  const [high, low, shared] = [
    tracker.label(place, "high"),
    tracker.label(place, "low"),
    tracker.label(group, "shared"),
  ];
  tracker.priority(high, place, 1);
  tracker.priority(low, place, 5);
  tracker.priority(shared, place, 3);
  tracker.priority(shared, project, 0);
  const soon = tracker.milestone(place, "soon", { due_date: world.clock.day(1) });
  const add = (label_ids: number[], milestone_id: number | null = null) =>
    tracker.issue(place, mia.id, { label_ids, milestone_id }).id;
  const [plain, urgent, middling, late, due] = [
    add([]),
    add([high.id, low.id]),
    add([shared.id]),
    add([low.id]),
    add([low.id], soon.id),
  ];
  const ordered = (order_by: string, sort: string) =>
    idsOf(`/projects/${place.id}/issues`, { order_by, sort }, { token: mia.token });
  expect(await ordered("label_priority", "asc")).toEqual([urgent, middling, late, due, plain]);
  expect(await ordered("label_priority", "desc")).toEqual([due, late, middling, urgent, plain]);
  expect(await ordered("priority", "asc")).toEqual([due, urgent, middling, late, plain]);
});

describe("a refusal", () => {
  test("has one text with all errors, in the order of the parameters", async () => {
    for (const [query, error] of [
      ["author_id=1&author_username=a", "author_id, author_username are mutually exclusive"],
      ["assignee_id=1&assignee_username=a", "assignee_id, assignee_username are mutually exclusive"],
      ["milestone_id=None&milestone=a", "milestone_id, milestone are mutually exclusive"],
      ["not[author_id]=1&not[author_username]=a", "not[author_id], not[author_username] are mutually exclusive"],
      ["assignee_id=foo", "assignee_id should be an integer, none, or any, however got foo"],
      ["epic_id=foo", "epic_id should be an integer, none, or any, however got foo"],
      ["scope=foo", "scope does not have a valid value"],
      ["milestone_id=foo", "milestone_id does not have a valid value"],
      ["author_id=foo", "author_id is invalid"],
      ["iids[]=foo", "iids is invalid"],
      ["created_after=foo", "created_after is invalid"],
      ["confidential=foo", "confidential is invalid"],
      ["state=foo&order_by=bar", "state does not have a valid value, order_by does not have a valid value"],
      ["due_date=foo", "due_date does not have a valid value"],
      ["issue_type=foo", "issue_type does not have a valid value"],
    ]) {
      for (const path of [
        "/issues",
        `/groups/${group.id}/issues`,
        `/projects/${project.id}/issues`,
        "/groups/4711/issues",
      ]) {
        expect(await world.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { error, message: error } });
      }
    }
  });

  test("counts an empty value as absent, also where two exclude each other", async () => {
    const query =
      "author_id=&author_username=&milestone=&milestone_id=&assignee_id=&scope=&state=&order_by=&iids=&labels=";
    expect((await world.get(`/projects/${project.id}/issues?${query}`)).status).toBe(200);
    expect((await world.get(`/projects/${project.id}/issues?milestone=&milestone_id=Any`)).status).toBe(200);
  });

  test("includes filters that community does not have", async () => {
    const community = await startWorld({ edition: "community" });
    expect(await community.get("/issues?order_by=weight")).toMatchObject({
      status: 400,
      body: { error: "order_by does not have a valid value" },
    });
    expect(await community.get("/issues?assignee_username[]=ann&assignee_username[]=bob")).toMatchObject({
      status: 400,
      body: { error: "assignee_username allows one value, but found 2: ann, bob" },
    });
    expect((await community.get("/issues?epic_id=foo&weight=bar&assignee_username=ann")).status).toBe(200);
  });
});
