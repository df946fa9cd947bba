import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { awardEmoji } from "../../../../src/modules/discussions/award-emoji/records.ts";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { epicIssues } from "../../../../src/modules/planning/epics/records.ts";
import { unassignIssues } from "../../../../src/modules/planning/issues/index.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { subscriptions } from "../../../../src/modules/planning/subscriptions/records.ts";
import { type Answer, type Person, rootToken } from "../../../support/fixtures/world.ts";
import { issueScene } from "./scene.ts";

const { world, places, tracker, group, project, mia, guest, reporter, stranger, create } = await issueScene();

const post = (token: string | undefined, iid: number, rest: string, json: object = {}): Promise<Answer> =>
  world.call("POST", `/projects/${project.id}/issues/${iid}/${rest}`, { token, json });
const remove = (token: string, iid: number, headers: Readonly<Record<string, string>> = {}) =>
  world.call("DELETE", `/projects/${project.id}/issues/${iid}`, { token, headers });

function note(issueId: number, author_id: number, internal = false): number {
  return world.store.transact((tx) => {
    const stamp = { created_at: world.clock.time(), updated_at: world.clock.time() };
    const noteable = { noteable_type: "Issue", noteable_id: issueId, system: false, internal } as const;
    const made = tx.insert(notes, { id: tx.nextId("notes"), ...noteable, author_id, body: "n", ...stamp });
    const issue = world.store.of(issues).get(issueId);
    if (issue !== undefined) tx.update(issues, { ...issue, user_notes_count: issue.user_notes_count + 1 });
    return made.id;
  });
}

describe("deleting", () => {
  test("deletes everything on the issue", async () => {
    const { id, iid } = await create(mia.token, { epic_id: tracker.epic(group.id, mia.id).id });
    const issue = world.store.of(issues).get(id);
    if (issue !== undefined) tracker.reaction(issue, guest.id, "tada");
    note(id, guest.id);
    expect(await remove(mia.token, iid)).toMatchObject({ status: 204, text: "" });
    expect(await world.get(`/projects/${project.id}/issues/${iid}`)).toMatchObject({ status: 404 });
    const left = [
      world.store.of(notes).by.noteable.find(`Issue ${id}`),
      world.store.of(awardEmoji).by.awardable.find(`Issue ${id}`),
      world.store.of(subscriptions).by.subject.find(`Issue ${id}`),
    ];
    expect(left.map(({ size }) => size)).toEqual([0, 0, 0]);
    expect(world.store.of(epicIssues).by.issue_id.find(id)).toBeUndefined();
  });

  test("removes at most some hundred of its notes at once, and a job the rest", async () => {
    const { id, iid } = await create(mia.token);
    const made = Array.from({ length: 1000 }, () => note(id, guest.id));
    const removedAt = new Map<number, number>();
    world.store.watch(notes, (_before, after) => {
      const { version } = world.store;
      if (after === undefined) removedAt.set(version, (removedAt.get(version) ?? 0) + 1);
    });
    expect((await remove(mia.token, iid)).status).toBe(204);
    expect((await world.get(`/projects/${project.id}/issues/${iid}/notes`)).status).toBe(404);
    await world.jobsDone();
    expect(made.filter((each) => world.store.of(notes).get(each) !== undefined)).toEqual([]);
    expect(removedAt.size).toBeGreaterThan(1);
    expect(Math.max(...removedAt.values())).toBeLessThan(500);
  });

  test("is for planners, owners and administrators", async () => {
    const { iid } = await create(reporter.token);
    for (const { token } of [guest, reporter, stranger]) {
      expect(await remove(token, iid)).toMatchObject({ status: 403, body: { message: "403 Forbidden" } });
    }
    expect((await remove(rootToken, iid)).status).toBe(204);
    expect(await remove(mia.token, 4711)).toMatchObject({ status: 404, body: { message: "404 Issue Not Found" } });
  });

  test("is refused when the issue has changed since the caller's read", async () => {
    const { iid } = await create(mia.token);
    const old = new Date(world.clock.now() - 60_000).toUTCString();
    expect((await remove(mia.token, iid, { "If-Unmodified-Since": old })).status).toBe(412);
    expect((await remove(mia.token, iid)).status).toBe(204);
  });
});

describe("moving", () => {
  test("creates it again in the other project, and closes the old one", async () => {
    const target = places.project(group.id, { path: "bus", visibility: "public" });
    places.member(target, mia.id, accessLevels.planner);
    tracker.issue(target, mia.id);
    const milestone = tracker.milestone(group, "1.0");
    const own = { milestone_id: milestone.id, weight: 2, assignee_ids: [guest.id] };
    const { id, iid } = await create(guest.token, { ...own, description: "d" });
    note(id, guest.id);
    const { status, body } = await post(mia.token, iid, "move", { to_project_id: target.id });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ iid: 2, project_id: target.id, title: "t", description: "d", labels: [], weight: 2 },
      ...{
        author: { id: guest.id },
        assignees: [{ id: guest.id }],
        milestone: { id: milestone.id },
        user_notes_count: 1,
      },
      ...{ state: "opened", moved_to_id: null },
    });
    const old = await world.get(`/projects/${project.id}/issues/${iid}`);
    expect(old.body).toMatchObject({ id, state: "closed", moved_to_id: body.id, closed_by: { id: mia.id } });
  });

  test("finds its labels by their titles", async () => {
    const target = places.project(group.id, { path: "tram", visibility: "public" });
    places.member(target, mia.id, accessLevels.planner);
    const known = tracker.label(target, "known");
    const { iid } = await create(mia.token, { labels: "known,unheard of" });
    const { body } = await post(mia.token, iid, "move", { to_project_id: target.id });
    expect(body.labels).toEqual(["known", "unheard of"]);
    expect(world.store.of(issues).get(body.id)?.label_ids).toContain(known.id);
  });

  test("is refused with the page's messages", async () => {
    const target = places.project(group.id, { visibility: "public" });
    const hidden = places.project(places.group().id);
    places.member(target, reporter.id, accessLevels.guest);
    const { iid } = await create(mia.token);
    for (const [token, to_project_id, status, message] of [
      [mia.token, project.id, 400, "Cannot move issue to project it originates from!"],
      [mia.token, target.id, 400, "Cannot move issue due to insufficient permissions!"],
      [reporter.token, target.id, 400, "Cannot move issue due to insufficient permissions!"],
      [mia.token, hidden.id, 404, "404 Project Not Found"],
      [mia.token, 4711, 404, "404 Project Not Found"],
    ] as const) {
      expect(await post(token, iid, "move", { to_project_id })).toMatchObject({ status, body: { message } });
    }
    expect(await post(mia.token, iid, "move")).toMatchObject({
      status: 400,
      body: { error: "to_project_id is missing" },
    });
    expect(await post(mia.token, 4711, "move", { to_project_id: target.id })).toMatchObject({ status: 404 });
  });
});

describe("a participant", () => {
  test("is the author, an assignee or a commenter, and subscribed", async () => {
    const { id, iid } = await create(guest.token, { assignee_ids: [reporter.id] });
    note(id, stranger.id);
    const { body } = await world.get(`/projects/${project.id}/issues/${iid}/participants`);
    expect(body.map((person: Person) => person.username)).toEqual(["gus", "rita", "sid"]);
    for (const [{ token }, subscribed] of [
      [guest, true],
      [reporter, true],
      [stranger, true],
      [mia, false],
    ] as const) {
      const seen = await world.call("GET", `/projects/${project.id}/issues/${iid}`, { token });
      expect(seen.body.subscribed).toBe(subscribed);
    }
  });

  test("is the author of an internal note, for readers of such notes", async () => {
    const { id, iid } = await create(guest.token);
    note(id, stranger.id, true);
    const seenBy = async (token?: string) =>
      (await world.call("GET", `/projects/${project.id}/issues/${iid}/participants`, { token })).body.map(
        (person: Person) => person.username,
      );
    expect(await seenBy(mia.token)).toEqual(["gus", "sid"]);
    expect(await seenBy(guest.token)).toEqual(["gus"]);
  });

  test("subscribing and unsubscribing answer the issue once, then 304", async () => {
    const { iid } = await create(guest.token);
    for (const [act, subscribed] of [
      ["subscribe", true],
      ["unsubscribe", false],
      ["subscribe", true],
    ] as const) {
      expect(await post(stranger.token, iid, act)).toMatchObject({ status: 201, body: { iid, subscribed } });
      expect(await post(stranger.token, iid, act)).toMatchObject({ status: 304, text: "" });
    }
    expect((await post(guest.token, iid, "subscribe")).status).toBe(304);
    expect((await post(undefined, iid, "subscribe")).status).toBe(401);
    expect((await post(guest.token, 4711, "subscribe")).status).toBe(404);
  });

  test("there are no merge requests", async () => {
    const { iid } = await create(guest.token);
    for (const rest of ["related_merge_requests", "closed_by"]) {
      expect(await world.call("GET", `/projects/${project.id}/issues/${iid}/${rest}`)).toMatchObject({
        status: 200,
        body: [],
      });
      expect((await world.get(`/projects/${project.id}/issues/4711/${rest}`)).status).toBe(404);
    }
  });
});

describe("time tracking", () => {
  test("adds, subtracts and resets time", async () => {
    const { iid } = await create(mia.token);
    const stats = (
      time_estimate: number,
      human_time_estimate: string | null,
      total_time_spent: number,
      human: string | null,
    ) => ({
      ...{ time_estimate, human_time_estimate, total_time_spent, human_total_time_spent: human },
    });
    for (const [rest, duration, status, body] of [
      ["time_estimate", "3h30m", 200, stats(12_600, "3h 30m", 0, null)],
      ["time_estimate", "1w 2d", 200, stats(201_600, "1w 2d", 0, null)],
      ["time_estimate", "-1d", 200, stats(172_800, "1w 1d", 0, null)],
      ["add_spent_time", "1mo1s", 201, stats(172_800, "1w 1d", 576_001, "1mo 1s")],
      ["add_spent_time", "-1mo", 201, stats(172_800, "1w 1d", 1, "1s")],
      ["reset_spent_time", undefined, 200, stats(172_800, "1w 1d", 0, null)],
      ["reset_time_estimate", undefined, 200, stats(0, null, 0, null)],
    ] as const) {
      expect(await post(mia.token, iid, rest, { duration })).toMatchObject({ status, body });
      expect((await world.call("GET", `/projects/${project.id}/issues/${iid}/time_stats`)).body).toEqual(body);
      expect((await world.get(`/projects/${project.id}/issues/${iid}`)).body.time_stats).toEqual(body);
    }
  });

  test("refuses invalid durations, totals below zero, and users below planner", async () => {
    const { iid } = await create(guest.token);
    for (const rest of ["time_estimate", "add_spent_time"]) {
      for (const [json, error] of [
        [{}, "duration is missing"],
        [{ duration: "soon" }, "duration is invalid"],
        [{ duration: "" }, "duration is invalid"],
        [{ duration: "9999999999w" }, "duration is invalid"],
      ] as const) {
        expect(await post(mia.token, iid, rest, json)).toMatchObject({ status: 400, body: { error } });
      }
      expect((await post(mia.token, iid, rest, { duration: "-1h" })).status).toBe(400);
      expect((await post(guest.token, iid, rest, { duration: "1h" })).status).toBe(403);
      expect((await post(mia.token, 4711, rest, { duration: "1h" })).status).toBe(404);
    }
  });
});

describe("a deletion", () => {
  test("updates counts of a project and of users", async () => {
    const place = places.project(group.id, { visibility: "public" });
    const worker = await world.user();
    tracker.issue(place, worker.id, { assignee_ids: [worker.id] });
    tracker.issue(place, worker.id, { assignee_ids: [worker.id], state: "closed" });
    tracker.issue(place, worker.id, { confidential: true });
    expect((await world.get(`/projects/${place.id}`)).body.open_issues_count).toBe(2);
    const seen = await world.call("GET", `/projects/${place.id}`, { token: stranger.token });
    expect(seen.body.open_issues_count).toBe(1);
    expect((await world.call("GET", "/user_counts", { token: worker.token })).body.assigned_issues).toBe(1);
    expect((await world.get(`/users/${worker.id}/associations_count`)).body.issues_count).toBe(3);
  });

  test("of a user, soft, gives issues to the ghost, and removes assignments", async () => {
    const [author, assignee] = [await world.user(), await world.user()];
    const kept = tracker.issue(project, author.id, {
      assignee_ids: [assignee.id, mia.id],
      state: "closed",
      closed_by_id: assignee.id,
    });
    for (const { id } of [author, assignee]) {
      expect((await world.call("DELETE", `/users/${id}`, { token: rootToken })).status).toBe(204);
    }
    const { body } = await world.get(`/projects/${project.id}/issues/${kept.iid}`);
    expect(body).toMatchObject({
      author: { username: "ghost" },
      closed_by: { username: "ghost" },
      assignees: [{ id: mia.id }],
    });
  });

  test("of a membership unassigns the user from issues below on request", async () => {
    const worker = await world.user();
    const below = places.project(places.group({ parent_id: group.id }).id);
    const elsewhere = places.project(places.group().id);
    const made = [project, below, elsewhere].map((each) =>
      tracker.issue(each, mia.id, { assignee_ids: [mia.id, worker.id] }),
    );
    const assigned = () => made.map(({ id }) => world.store.of(issues).get(id)?.assignee_ids.includes(worker.id));
    const leave = (source: Parameters<typeof unassignIssues>[3]) =>
      world.store.transact((tx) => unassignIssues(tx, world.context, worker.id, source));
    leave({ type: "project", id: below.id });
    expect(assigned()).toEqual([true, false, true]);
    leave({ type: "group", id: group.id });
    expect(assigned()).toEqual([false, false, true]);
  });

  test("of a membership unassigns the user from hundreds of issues in small steps", async () => {
    const [worker, place] = [await world.user(), places.project(places.group({ parent_id: group.id }).id)];
    const elsewhere = places.project(places.group().id);
    places.member(group, worker.id, 30);
    const made = Array.from({ length: 700 }, (_, at) =>
      tracker.issue(at % 7 === 0 ? elsewhere : place, mia.id, { assignee_ids: [worker.id] }),
    );
    let mostAtOnce = 0;
    let inTransaction = 0;
    world.store.watch(issues, () => {
      if (inTransaction === 0) queueMicrotask(() => (inTransaction = 0));
      inTransaction += 1;
      mostAtOnce = Math.max(mostAtOnce, inTransaction);
    });
    const path = `/groups/${group.id}/members/${worker.id}?unassign_issuables=true`;
    expect((await world.call("DELETE", path, { token: rootToken })).status).toBe(204);
    await world.jobsDone();
    const left = made.filter(({ id }) => world.store.of(issues).get(id)?.assignee_ids.includes(worker.id));
    expect(left.map(({ project_id }) => project_id)).toEqual(Array.from({ length: 100 }, () => elsewhere.id));
    expect(mostAtOnce).toBeLessThanOrEqual(200);
  });

  test("of a user, hard, deletes the issues too", async () => {
    const author = await world.user();
    const gone = tracker.issue(project, author.id);
    const closed = tracker.issue(project, mia.id, { state: "closed", closed_by_id: author.id });
    await world.call("DELETE", `/users/${author.id}?hard_delete=true`, { token: rootToken });
    expect((await world.get(`/projects/${project.id}/issues/${gone.iid}`)).status).toBe(404);
    expect((await world.get(`/projects/${project.id}/issues/${closed.iid}`)).body.closed_by).toBeNull();
  });

  test("of a project deletes its issues", async () => {
    const place = places.project(group.id, { visibility: "public" });
    const ids = Array.from({ length: 5 }, () => tracker.issue(place, mia.id).id);
    expect((await world.call("DELETE", `/projects/${place.id}`, { token: rootToken })).status).toBe(202);
    await world.jobsDone();
    expect(ids.filter((id) => world.store.of(issues).get(id) !== undefined)).toEqual([]);
  });
});
