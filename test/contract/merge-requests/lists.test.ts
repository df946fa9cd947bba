import { beforeAll, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { awardEmoji } from "../../../src/modules/discussions/award-emoji/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type CallOptions, type Json, type Person, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { mergeRequestsOf } from "../../support/merge-requests/records.ts";
import { trackerOf } from "../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const add = mergeRequestsOf(world);
const group = places.group({ path: "cars", visibility: "public" });
const below = places.group({ path: "small", parent_id: group.id, visibility: "public" });
const project = places.project(group.id, { path: "van", visibility: "public" });
const inBelow = places.project(below.id, { path: "mini", visibility: "public" });
let mia: Person;
let dan: Person;

beforeAll(async () => {
  mia = await world.user({ username: "mia" });
  dan = await world.user({ username: "dan" });
  places.member(group, mia.id, accessLevels.developer);
});

const idsOf = async (path: string, query: Readonly<Record<string, Json>> = {}, options: CallOptions = {}) => {
  const { status, body } = await world.call("GET", path, { query, ...options });
  expect(status).toBe(200);
  return body.map(({ id }: { id: number }) => id);
};

describe("visibility", () => {
  test("of public ones for anonymous callers is that of a project, a group, and of all with scope=all only", async () => {
    const { id } = add(project, mia.id);
    for (const [path, query] of [
      [`/projects/${project.id}/merge_requests`, {}],
      [`/groups/${group.id}/merge_requests`, {}],
      ["/merge_requests", { scope: "all" }],
    ] as const) {
      for (const token of [undefined, mia.token]) expect(await idsOf(path, query, { token })).toEqual([id]);
    }
    expect(await world.call("GET", "/merge_requests")).toMatchObject({ status: 401 });
    expect(await idsOf("/merge_requests", {}, { token: mia.token })).toEqual([id]);
    expect(await idsOf("/merge_requests", {}, { token: dan.token })).toEqual([]);
  });

  test("is that of the code: members only, or nobody, and reporters of private projects", async () => {
    const roles = [accessLevels.guest, accessLevels.reporter] as const;
    const [guest, reporter] = [await world.user(), await world.user()];
    for (const [attributes, seenBy] of [
      [{ visibility: "public", settings: { merge_requests_access_level: "private" } }, [guest, reporter]],
      [{ visibility: "public", settings: { repository_access_level: "private" } }, [reporter]],
      [{ visibility: "public", settings: { repository_access_level: "disabled" } }, []],
      [{ visibility: "public", settings: { merge_requests_access_level: "disabled" } }, []],
      [{ visibility: "private" }, [reporter]],
      [{ visibility: "internal" }, [guest, reporter, dan]],
    ] as const) {
      const place = places.project(places.group({ visibility: attributes.visibility }).id, attributes);
      for (const [at, person] of [guest, reporter].entries()) places.member(place, person.id, roles[at] as 10 | 20);
      const { id } = add(place, mia.id);
      for (const person of [guest, reporter, dan]) {
        const listed = await idsOf("/merge_requests", { scope: "all" }, { token: person.token });
        const isSeen = (seenBy as readonly Person[]).includes(person);
        expect([attributes, listed.includes(id)]).toEqual([attributes, isSeen]);
        const path = `/projects/${place.id}/merge_requests`;
        const { status, body } = await world.call("GET", path, { token: person.token });
        const hidden = person === dan && attributes.visibility === "private" ? 404 : 403;
        expect([attributes, status]).toEqual([attributes, isSeen ? 200 : hidden]);
        if (isSeen) expect(body).toMatchObject([{ id }]);
      }
    }
  });

  test("of those of banned authors is for administrators", async () => {
    const villain = await world.user();
    const place = places.project(group.id, { visibility: "public" });
    const { id, iid } = add(place, villain.id);
    world.alter(villain.id, { state: "banned" });
    const path = `/projects/${place.id}/merge_requests`;
    expect(await idsOf(path, {}, { token: mia.token })).toEqual([]);
    expect((await world.call("GET", `${path}/${iid}`, { token: mia.token })).status).toBe(403);
    expect(await idsOf(path, {}, { token: rootToken })).toEqual([id]);
  });
});

describe("an entry", () => {
  test("is the single form without what only that has, with references relative to the list", async () => {
    const { id, iid } = add(inBelow, mia.id);
    const { body: single } = await world.get(`/projects/${inBelow.id}/merge_requests/${iid}`);
    const only = ["subscribed", "changes_count", "diff_refs", "merge_error", "user", "first_contribution"];
    only.push("latest_build_started_at", "latest_build_finished_at", "first_deployed_to_production_at");
    only.push("pipeline", "head_pipeline");
    const listed = Object.fromEntries(Object.entries(single).filter(([name]) => !only.includes(name)));
    for (const [path, relative] of [
      [`/projects/${inBelow.id}/merge_requests`, `!${iid}`],
      [`/groups/${below.id}/merge_requests`, `mini!${iid}`],
      [`/groups/${group.id}/merge_requests`, `cars/small/mini!${iid}`],
      ["/merge_requests?scope=all", `cars/small/mini!${iid}`],
    ] as const) {
      const entry = (await world.get(path)).body.find((each: Json) => each.id === id);
      expect(entry).toEqual({ ...listed, references: { ...single.references, relative } });
    }
  });

  test("is short on request, or has labels as objects", async () => {
    const place = places.project(group.id, { visibility: "public" });
    const label = tracker.label(place, "bug");
    const { id, iid, created_at } = add(place, mia.id, { label_ids: [label.id] });
    const path = `/projects/${place.id}/merge_requests`;
    expect((await world.get(`${path}?view=simple`)).body).toEqual([
      {
        ...{ id, iid, project_id: place.id, title: "Mend the roof", description: null, state: "opened" },
        ...{
          created_at,
          updated_at: created_at,
          web_url: `${world.origin}/cars/${place.path}/-/merge_requests/${iid}`,
        },
      },
    ]);
    expect((await world.get(`${path}?with_labels_details=true`)).body[0].labels).toMatchObject([{ name: "bug" }]);
  });
});

test("each filter leaves what it names", async () => {
  const place = places.project(group.id, { visibility: "public" });
  const bug = tracker.label(place, "bug");
  const milestone = tracker.milestone(place, "1.0", { start_date: world.clock.day(-1) });
  const now = world.clock.time();
  const later = new Date(Date.parse(now) + 60_000).toISOString();
  const a = add(place, mia.id, { label_ids: [bug.id], milestone_id: milestone.id, title: "Draft: red wheels" });
  const b = add(place, dan.id, { assignee_ids: [mia.id], reviewer_ids: [dan.id], target_branch: "stable" });
  const c = add(place, dan.id, {
    ...{ state: "merged", merged_at: now, merge_user_id: mia.id, source_branch: "special", updated_at: later },
  });
  const d = add(place, dan.id, { state: "closed", closed_at: now, closed_by_id: mia.id, description: "blue wheels" });
  world.store.transact((tx) =>
    tx.insert(awardEmoji, {
      ...{ id: tx.nextId("award_emoji"), awardable_type: "MergeRequest", awardable_id: b.id, user_id: mia.id },
      ...{ name: "rocket", created_at: now, updated_at: now },
    }),
  );
  const all = [d, c, b, a];
  const listed = (query: Readonly<Record<string, Json>>) =>
    idsOf(`/projects/${place.id}/merge_requests`, query, { token: mia.token });
  const others = (...without: (typeof a)[]) => all.filter((each) => !without.includes(each));
  for (const [query, wanted] of [
    [{}, all],
    [{ state: "opened" }, [b, a]],
    [{ state: "closed" }, [d]],
    [{ state: "merged" }, [c]],
    [{ state: "locked" }, []],
    [{ scope: "created_by_me" }, [a]],
    [{ scope: "assigned-to-me" }, [b]],
    [{ scope: "reviews_for_me" }, []],
    [{ author_id: dan.id }, [d, c, b]],
    [{ author_username: "MIA" }, [a]],
    [{ assignee_id: mia.id }, [b]],
    [{ assignee_id: "None" }, others(b)],
    [{ assignee_id: "any" }, [b]],
    [{ assignee_id: 0 }, []],
    [{ assignee_username: "mia" }, [b]],
    [{ reviewer_id: dan.id }, [b]],
    [{ reviewer_username: "dan" }, [b]],
    [{ reviewer_username: "None" }, others(b)],
    [{ merge_user_id: mia.id }, [c]],
    [{ merge_user_username: "mia" }, [c]],
    [{ labels: "bug" }, [a]],
    [{ labels: "None" }, others(a)],
    [{ milestone: "1.0" }, [a]],
    [{ milestone: "#started" }, [a]],
    [{ milestone: "Any" }, [a]],
    [{ my_reaction_emoji: "rocket" }, [b]],
    [{ source_branch: "special" }, [c]],
    [{ target_branch: "stable" }, [b]],
    [{ source_project_id: place.id + 1 }, []],
    [{ search: "wheels" }, [d, a]],
    [{ search: "wheels", in: "title" }, [a]],
    [{ wip: "yes" }, [a]],
    [{ wip: "no" }, others(a)],
    [{ draft: true }, [a]],
    [{ iids: [a.iid, c.iid] }, [c, a]],
    [{ created_after: later }, []],
    [{ updated_after: later }, [c]],
    [{ "not[labels]": "bug" }, others(a)],
    [{ "not[author_username]": "dan" }, [a]],
    [{ "not[assignee_id]": mia.id }, others(b)],
    [{ "not[reviewer_id]": dan.id }, others(b)],
    [{ "not[milestone]": "1.0" }, others(a)],
    [{ "not[my_reaction_emoji]": "rocket" }, others(b)],
  ] as const) {
    expect([query, await listed(query)]).toEqual([query, wanted.map(({ id }) => id)]);
  }
});

test("each order has what lacks it last", async () => {
  const place = places.project(group.id, { visibility: "public" });
  const [urgent, minor] = [tracker.label(place, "urgent"), tracker.label(place, "minor")];
  tracker.priority(urgent, place, 1);
  tracker.priority(minor, place, 5);
  const soon = tracker.milestone(place, "soon", { due_date: world.clock.day(1) });
  const time = (minutes: number) => new Date(world.clock.now() + minutes * 60_000).toISOString();
  const a = add(place, mia.id, { title: "b", label_ids: [urgent.id], upvotes: 1, updated_at: time(3) });
  const b = add(place, mia.id, { title: "A", state: "merged", merged_at: time(1), updated_at: time(1) });
  const c = add(place, mia.id, { title: "c", label_ids: [minor.id], milestone_id: soon.id, updated_at: time(2) });
  const d = add(place, mia.id, { title: "d", state: "merged", merged_at: time(2), upvotes: 5, updated_at: time(4) });
  for (const [order_by, sort, wanted] of [
    ["created_at", "asc", [a, b, c, d]],
    ["updated_at", "desc", [d, a, c, b]],
    ["title", "asc", [b, a, c, d]],
    ["merged_at", "asc", [b, d, a, c]],
    ["merged_at", "desc", [d, b, c, a]],
    ["popularity", "desc", [d, a, c, b]],
    ["label_priority", "asc", [a, c, b, d]],
    ["priority", "asc", [c, a, b, d]],
    ["milestone_due", "asc", [c, a, b, d]],
  ] as const) {
    const found = await idsOf(`/projects/${place.id}/merge_requests`, { order_by, sort });
    expect([order_by, sort, found]).toEqual([order_by, sort, wanted.map(({ id }) => id)]);
  }
});

test("archived projects are left out of a group's list, and of others on request", async () => {
  const inner = places.group({ parent_id: group.id });
  const archived = places.project(inner.id, { archived: true });
  const { id } = add(archived, mia.id);
  const options = { token: mia.token };
  expect(await idsOf(`/groups/${inner.id}/merge_requests`, {}, options)).toEqual([]);
  expect(await idsOf(`/groups/${inner.id}/merge_requests`, { non_archived: false }, options)).toEqual([id]);
  expect(await idsOf("/merge_requests", {}, options)).toContain(id);
  expect(await idsOf("/merge_requests", { non_archived: true }, options)).not.toContain(id);
});

test("values that no filter takes are refused", async () => {
  for (const [query, error] of [
    ["author_id=1&author_username=a", "author_id, author_username are mutually exclusive"],
    ["reviewer_id=1&reviewer_username=a", "reviewer_id, reviewer_username are mutually exclusive"],
    ["merge_user_id=1&merge_user_username=a", "merge_user_id, merge_user_username are mutually exclusive"],
    ["assignee_id=foo", "assignee_id should be an integer, none, or any, however got foo"],
    ["wip=maybe", "wip does not have a valid value"],
    ["state=foo&order_by=bar", "state does not have a valid value, order_by does not have a valid value"],
    ["view=full", "view does not have a valid value"],
  ]) {
    for (const path of [
      "/merge_requests",
      `/groups/${group.id}/merge_requests`,
      `/projects/${project.id}/merge_requests`,
    ]) {
      expect(await world.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { error } });
    }
  }
});
