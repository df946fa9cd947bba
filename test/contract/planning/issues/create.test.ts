import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { labels } from "../../../../src/modules/planning/labels/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { issueScene } from "./scene.ts";

const { world, places, tracker, group, project, mia, guest, owner, stranger, tryToCreate: create } = await issueScene();

describe("a new issue", () => {
  test("has every field of the page", async () => {
    const { status, body } = await create(mia.token, { title: "Wheels squeak", labels: "noise,bug" });
    const at = `${world.origin}/api/v4/projects/${project.id}`;
    expect(status).toBe(201);
    expect(body.author).toEqual({
      ...{ id: mia.id, username: "mia", name: "mia", state: "active", locked: false },
      avatar_url: expect.any(String),
      web_url: `${world.origin}/mia`,
    });
    expect(body).toEqual({
      ...{ id: expect.any(Number), iid: 1, project_id: project.id, title: "Wheels squeak", description: null },
      ...{ state: "opened", created_at: world.clock.time(), updated_at: world.clock.time(), closed_at: null },
      ...{ closed_by: null, labels: ["bug", "noise"], milestone: null, assignees: [], author: body.author },
      ...{ type: "ISSUE", assignee: null, user_notes_count: 0, merge_requests_count: 0, upvotes: 0, downvotes: 0 },
      ...{ due_date: null, start_date: null, confidential: false, discussion_locked: null, issue_type: "issue" },
      web_url: `${world.origin}/cars/van/-/issues/1`,
      time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
      ...{ task_completion_status: { count: 0, completed_count: 0 }, has_tasks: false },
      ...{ weight: null, epic_iid: null, epic: null },
      ...{ iteration: null, health_status: null, blocking_issues_count: 0 },
      _links: {
        self: `${at}/issues/1`,
        notes: `${at}/issues/1/notes`,
        award_emoji: `${at}/issues/1/award_emoji`,
        project: at,
        closed_as_duplicate_of: null,
      },
      references: { short: "#1", relative: "#1", full: "cars/van#1" },
      ...{ severity: "UNKNOWN", subscribed: true, moved_to_id: null, imported: false, imported_from: "none" },
      service_desk_reply_to: null,
    });
    expect((await world.get(`/projects/${project.id}/issues/1`)).body).toEqual({ ...body, subscribed: false });
    expect((await world.get(`/issues/${body.id}`)).body).toEqual({ ...body, subscribed: false });
  });

  test("counts the check boxes of its description, and has its metadata", async () => {
    const milestone = tracker.milestone(group, "1.0", { due_date: "2001-01-01" });
    const epic = tracker.epic(group.id, mia.id);
    const { body } = await create(mia.token, {
      ...{ title: "t", description: "- [ ] a\n* [x] b\n 1. [X] c\n```\n- [ ] code\n```\n- [y] no", weight: 3 },
      ...{
        milestone_id: milestone.id,
        epic_id: epic.id,
        assignee_ids: [guest.id, guest.id, 4711],
        due_date: "2030-02-28",
      },
      ...{ start_date: "2030-02-01", issue_type: "incident", severity: "high", confidential: true },
    });
    expect(body).toMatchObject({
      ...{ task_completion_status: { count: 3, completed_count: 2 }, has_tasks: true, weight: 3, epic_iid: epic.iid },
      ...{ task_status: "2 of 3 checklist items completed", type: "INCIDENT", severity: "HIGH", confidential: true },
      milestone: { id: milestone.id, iid: 1, group_id: group.id, title: "1.0", expired: true, state: "active" },
      epic: { id: epic.id, iid: epic.iid, title: "an epic", url: "/groups/cars/-/epics/1", group_id: group.id },
      ...{
        assignees: [{ id: guest.id }],
        assignee: { id: guest.id },
        due_date: "2030-02-28",
        start_date: "2030-02-01",
      },
    });
  });
});

test("a title has no blanks around it, from its creation and its changes on", async () => {
  const { body } = await create(mia.token, { title: " \t Wheels  squeak\n" });
  expect(body.title).toBe("Wheels  squeak");
  const path = `/projects/${project.id}/issues/${body.iid}`;
  const put = (title: string) => world.call("PUT", path, { token: owner.token, json: { title } });
  expect((await put(`  ${"x".repeat(255)}  `)).body.title).toBe("x".repeat(255));
  const blank = await put("  ");
  expect([blank.status, blank.body]).toEqual([400, { message: { title: ["can't be blank"] } }]);
});

describe("the creator", () => {
  test("may be any reader of the project, but only members set metadata", async () => {
    const json = {
      ...{
        title: "t",
        confidential: true,
        labels: ["new label"],
        assignee_ids: [mia.id],
        due_date: "2030-01-01",
        weight: 1,
      },
    };
    const { status, body } = await create(stranger.token, json);
    expect(status).toBe(201);
    expect(body).toMatchObject({ labels: [], assignees: [], due_date: null, weight: null, confidential: true });
    expect((await world.call("GET", `/projects/${project.id}/issues/${body.iid}`, { token: guest.token })).status).toBe(
      404,
    );
    expect((await world.call("GET", `/projects/${project.id}/issues/${body.iid}`, { token: mia.token })).status).toBe(
      200,
    );
  });

  test("creates unknown labels as a planner, and drops them as a guest", async () => {
    tracker.label(group, "known");
    const byGuest = await create(guest.token, { title: "t", labels: "known, unheard of" });
    expect(byGuest.body.labels).toEqual(["known"]);
    const byPlanner = await create(mia.token, { title: "t", labels: ["known", "unheard of,Known"] });
    expect(byPlanner.body.labels).toEqual(["Known", "known", "unheard of"]);
    const made = world.store.of(labels).by.title.find("unheard of");
    expect([...made].map((id) => world.store.of(labels).get(id))).toMatchObject([
      { source_type: "project", source_id: project.id, title: "unheard of" },
    ]);
  });

  test("is refused where issues are off, for members only, or the project is archived", async () => {
    const off = places.project(group.id, { visibility: "public", settings: { issues_access_level: "disabled" } });
    const inner = places.project(group.id, { visibility: "public", settings: { issues_access_level: "private" } });
    const archived = places.project(group.id, { visibility: "public", archived: true });
    const hidden = places.project(group.id);
    const answers = [
      [rootToken, off.id, 403, "403 Forbidden"],
      [stranger.token, inner.id, 403, "403 Forbidden"],
      [rootToken, archived.id, 403, "403 Forbidden"],
      [stranger.token, hidden.id, 404, "404 Project Not Found"],
      [undefined, project.id, 401, "401 Unauthorized"],
    ] as const;
    for (const [token, id, status, message] of answers) {
      expect(await create(token, { title: "t" }, id)).toMatchObject({ status, body: { message } });
    }
    expect((await create(rootToken, { title: "t" }, inner.id)).status).toBe(201);
  });
});

describe("a refusal", () => {
  const both = (text: string) => ({ status: 400, body: { error: text, message: text } });
  test("reports a missing title, and a blank or long one as a validation error", async () => {
    expect(await create(mia.token, {})).toMatchObject({
      status: 400,
      body: { error: "title is missing", message: '400 (Bad request) "title" not given' },
    });
    expect(await create(mia.token, { title: " " })).toMatchObject({
      status: 400,
      body: { message: { title: ["can't be blank"] } },
    });
    expect(await create(mia.token, { title: "x".repeat(256) })).toMatchObject({
      status: 400,
      body: { message: { title: ["is too long (maximum is 255 characters)"] } },
    });
    expect(await create(mia.token, { title: "x", description: "y".repeat(1_048_577) })).toMatchObject({
      status: 400,
      body: { message: { description: ["is too long (maximum is 1048576 characters)"] } },
    });
    expect((await create(mia.token, { title: "x".repeat(255), description: "y".repeat(1_048_576) })).status).toBe(201);
  });

  test("reports values of the wrong type", async () => {
    for (const [attributes, text] of [
      [{ confidential: null }, "confidential is empty"],
      [{ confidential: "" }, "confidential is empty"],
      [{ confidential: "maybe" }, "confidential is invalid"],
      [{ issue_type: "bug" }, "issue_type does not have a valid value"],
      [{ weight: -1 }, "weight does not have a valid value"],
      [{ due_date: "2024-02-30" }, "due_date is invalid"],
      [{ assignee_ids: ["mia"] }, "assignee_ids is invalid"],
    ] as const) {
      expect(await create(mia.token, { title: "t", ...attributes })).toMatchObject(both(text));
    }
  });

  test("reports a hidden epic", async () => {
    const secret = tracker.epic(places.group().id, owner.id);
    for (const epic_id of [secret.id, 4711]) {
      expect(await create(mia.token, { title: "t", epic_id })).toMatchObject({ status: 404 });
    }
  });
});

describe("numbers and times", () => {
  test("are set by owners, and ignored from others", async () => {
    const fresh = places.project(group.id, { visibility: "public" });
    places.member(fresh, owner.id, accessLevels.owner);
    places.member(fresh, mia.id, accessLevels.maintainer);
    const created_at = "2020-01-01T00:00:00.000Z";
    const made = await create(owner.token, { title: "t", iid: 40, created_at }, fresh.id);
    expect(made.body).toMatchObject({ iid: 40, created_at });
    expect(await create(owner.token, { title: "t", iid: 40 }, fresh.id)).toMatchObject({
      status: 409,
      body: { message: "Duplicated issue" },
    });
    const other = await create(mia.token, { title: "t", iid: 90, created_at }, fresh.id);
    expect(other.body).toMatchObject({ iid: 41, created_at: world.clock.time() });
    expect((await create(owner.token, { title: "t", iid: 7 }, fresh.id)).body.iid).toBe(7);
    expect((await create(owner.token, { title: "t" }, fresh.id)).body.iid).toBe(42);
  });

  test("are not reused after a deletion", async () => {
    const { body } = await create(owner.token, { title: "t" });
    await world.call("DELETE", `/projects/${project.id}/issues/${body.iid}`, { token: owner.token });
    expect((await create(owner.token, { title: "t" })).body.iid).toBe(body.iid + 1);
  });
});

test("the global id is no address in a project; only administrators use it", async () => {
  const { body } = await create(mia.token, { title: "t" });
  expect(await world.call("GET", `/issues/${body.id}`, { token: mia.token })).toMatchObject({ status: 403 });
  expect(await world.call("GET", `/issues/${body.id}`)).toMatchObject({ status: 401 });
  expect(await world.get("/issues/4711")).toMatchObject({ status: 404, body: { message: "404 Issue Not Found" } });
  expect(await world.get(`/projects/${project.id}/issues/4711`)).toMatchObject({
    status: 404,
    body: { message: "404 Issue Not Found" },
  });
});

test("community ignores weight, epics, and further assignees", async () => {
  const community = await startWorld({ edition: "community" });
  const [ann, bob] = [await community.user(), await community.user()];
  const there = placesOf(community);
  const id = there.project(there.group({ visibility: "public" }).id, { visibility: "public" }).id;
  const json = { title: "t", weight: -5, epic_id: "x", assignee_ids: [bob.id, ann.id] };
  const { status, body } = await community.call("POST", `/projects/${id}/issues`, { token: rootToken, json });
  expect(status).toBe(201);
  expect(body.assignees).toMatchObject([{ id: bob.id }]);
  for (const field of ["weight", "epic", "epic_iid", "iteration", "health_status"])
    expect(body).not.toHaveProperty(field);
});

test("a title that is a number beyond all numbers is refused", async () => {
  const options = { token: mia.token, raw: '{"title": 1e999}', headers: { "Content-Type": "application/json" } };
  const { status, body } = await world.call("POST", `/projects/${project.id}/issues`, options);
  expect([status, body]).toEqual([400, { error: "title is invalid", message: "title is invalid" }]);
});

test("too many new labels are refused before any of them is created", async () => {
  const labels = Array.from({ length: 251 }, (_, at) => `never-${at}`);
  expect((await create(mia.token, { title: "t", labels })).status).toBe(400);
  const { body } = await world.get(`/projects/${project.id}/labels?search=never`);
  expect(body).toEqual([]);
});

test("an issue has at most 250 labels", async () => {
  const labels = (count: number) => Array.from({ length: count }, (_, at) => `many-${at}`);
  const { iid } = (await create(mia.token, { title: "t", labels: labels(250) })).body;
  const path = `/projects/${project.id}/issues/${iid}`;
  for (const json of [{ add_labels: ["one more"] }, { labels: labels(251) }]) {
    expect(await world.call("PUT", path, { token: mia.token, json })).toMatchObject({
      status: 400,
      body: { message: { labels: ["are too many (maximum is 250)"] } },
    });
  }
  const swap = { add_labels: ["one more"], remove_labels: ["many-0"] };
  expect((await world.call("PUT", path, { token: mia.token, json: swap })).body.labels).toHaveLength(250);
});

test("a page of long lists of check boxes stays within the budget of a request", async () => {
  const description = "- [ ] a\n".repeat(100_000);
  const made = await Promise.all(
    Array.from({ length: 20 }, async () => (await create(mia.token, { title: "t", description })).body),
  );
  const { body } = await world.get(`/projects/${project.id}/issues`, { query: { per_page: 100 } });
  const counts = made.map(({ id }) => body.find((issue: { id: number }) => issue.id === id)?.task_completion_status);
  expect(counts).toEqual(Array(20).fill({ count: 100_000, completed_count: 0 }));
  const path = `/projects/${project.id}/issues/${made[0].iid}`;
  const changed = await world.call("PUT", path, { token: mia.token, json: { description: "- [x] b" } });
  expect(changed.body.task_completion_status).toEqual({ count: 1, completed_count: 1 });
});
