import { describe, expect, test } from "bun:test";
import { epicIssues } from "../../../../src/modules/planning/epics/records.ts";
import { type Person, rootToken } from "../../../support/fixtures/world.ts";
import { issueScene } from "./scene.ts";

const { world, places, tracker, group, project, mia, guest, owner, stranger, create, update } = await issueScene();

describe("the updater of an issue", () => {
  test("changes everything as a planner", async () => {
    const { iid } = await create(stranger.token);
    world.clock.advance(1_000);
    const { status, body } = await update(mia.token, iid, {
      ...{ title: "u", description: "d", confidential: true, assignee_ids: [mia.id], labels: "a,b", weight: 4 },
      ...{ due_date: "2030-01-02", start_date: "2030-01-01", discussion_locked: true, issue_type: "task" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{
        title: "u",
        description: "d",
        confidential: true,
        assignees: [{ id: mia.id }],
        labels: ["a", "b"],
        weight: 4,
      },
      ...{ due_date: "2030-01-02", start_date: "2030-01-01", discussion_locked: true, issue_type: "task" },
      updated_at: world.clock.time(),
    });
  });

  test("changes title, description and state as an author or assignee below planner, and nothing else", async () => {
    const { iid } = await create(guest.token, { assignee_ids: [stranger.id], labels: "known" });
    for (const { token } of [guest, stranger]) {
      const { status, body } = await update(token, iid, {
        ...{ title: `by ${token.length}`, description: "d", state_event: "close", confidential: true, labels: "x" },
        ...{ assignee_ids: [], weight: 4, due_date: "2030-01-02", discussion_locked: true, issue_type: "task" },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ state: "closed", description: "d", confidential: false, labels: [], weight: null });
      expect(body).toMatchObject({
        assignees: [{ id: stranger.id }],
        due_date: null,
        discussion_locked: null,
        issue_type: "issue",
      });
    }
  });

  test("is refused otherwise; a confidential issue and an unknown number are 404", async () => {
    const open = await create(mia.token);
    const secret = await create(mia.token, { confidential: true });
    for (const [token, iid, status] of [
      [stranger.token, open.iid, 403],
      [guest.token, secret.iid, 404],
      [guest.token, 4711, 404],
      [undefined, open.iid, 401],
    ] as const) {
      expect((await update(token, iid, { title: "u" })).status).toBe(status);
    }
  });

  test("is refused in an archived project", async () => {
    const archived = places.project(group.id, { visibility: "public", archived: true });
    const { iid } = tracker.issue(archived, owner.id);
    const answer = await world.call("PUT", `/projects/${archived.id}/issues/${iid}`, {
      token: rootToken,
      json: { title: "u" },
    });
    expect(answer).toMatchObject({ status: 403 });
  });
});

describe("an update", () => {
  test("without a change is refused with every name; updated_at alone is none", async () => {
    const { iid } = await create(mia.token);
    for (const json of [{}, { updated_at: "2020-01-01" }, { unknown: 1 }]) {
      const { status, body } = await update(owner.token, iid, json);
      expect(status).toBe(400);
      expect(body.error).toMatch(
        /^title, description, confidential, .*, state_event are missing, at least one parameter must be provided$/,
      );
      expect(body.message).toBe(body.error);
    }
  });

  test("clears with null and empty values where null is valid", async () => {
    const milestone = tracker.milestone(project, `m${Math.random()}`);
    const filed = {
      ...{ description: "d", assignee_ids: [mia.id], milestone_id: milestone.id, labels: "a", weight: 2 },
      ...{ due_date: "2030-01-02", start_date: "2030-01-01" },
    };
    for (const clear of [
      {
        description: null,
        assignee_ids: [],
        milestone_id: null,
        labels: "",
        weight: null,
        due_date: null,
        start_date: null,
      },
      { description: null, assignee_ids: [0], milestone_id: 0, labels: null, weight: "", due_date: "", start_date: "" },
      { description: null, assignee_id: 0, milestone_id: "", labels: [], weight: null, due_date: "", start_date: null },
    ]) {
      const { iid } = await create(mia.token, filed);
      const { body } = await update(mia.token, iid, clear);
      expect(body).toMatchObject({ description: null, assignees: [], milestone: null, labels: [], weight: null });
      expect(body).toMatchObject({ due_date: null, start_date: null });
    }
  });

  test("refuses null and blank values elsewhere", async () => {
    const { iid } = await create(mia.token);
    for (const [json, body] of [
      [{ title: null }, { message: { title: ["can't be blank"] } }],
      [{ title: "" }, { message: { title: ["can't be blank"] } }],
      [{ confidential: null }, { error: "confidential is empty" }],
      [{ state_event: null }, { error: "state_event is empty" }],
      [{ state_event: "explode" }, { error: "state_event does not have a valid value" }],
      [{ title: "u", updated_at: null }, { error: "updated_at is empty" }],
      [{ title: "u", updated_at: "" }, { error: "updated_at is empty" }],
    ] as const) {
      expect(await update(owner.token, iid, json)).toMatchObject({ status: 400, body });
    }
  });

  test("adds and removes labels by name", async () => {
    const { iid } = await create(mia.token, { labels: "a,b" });
    const { body } = await update(mia.token, iid, { add_labels: "c, d", remove_labels: ["a", "nobody's"] });
    expect(body.labels).toEqual(["b", "c", "d"]);
    expect((await update(mia.token, iid, { labels: ["z"], add_labels: "y", remove_labels: "z" })).body.labels).toEqual([
      "y",
    ]);
  });

  test("records who closed it and when, and changes nothing in the same state", async () => {
    const { iid } = await create(mia.token);
    world.clock.advance(1_000);
    const now = world.clock.time();
    const closed = await update(guest.token, iid, { state_event: "close" });
    expect(closed.status).toBe(403);
    const { body } = await update(mia.token, iid, { state_event: "close" });
    expect(body).toMatchObject({ state: "closed", closed_at: now, closed_by: { id: mia.id }, updated_at: now });
    world.clock.advance(1_000);
    expect(await update(owner.token, iid, { state_event: "close" })).toMatchObject({
      status: 200,
      body: { closed_by: { id: mia.id }, updated_at: now },
    });
    const reopened = await update(mia.token, iid, { state_event: "reopen" });
    expect(reopened.body).toMatchObject({
      state: "opened",
      closed_at: null,
      closed_by: null,
      updated_at: world.clock.time(),
    });
  });

  test("takes updated_at from owners, and ignores it from others", async () => {
    const { iid } = await create(mia.token);
    const updated_at = "2021-01-01T00:00:00.000Z";
    expect((await update(mia.token, iid, { title: "u", updated_at })).body.updated_at).toBe(world.clock.time());
    expect((await update(owner.token, iid, { title: "v", updated_at })).body.updated_at).toBe(updated_at);
  });

  test("clears a milestone of another project, and takes one of the group", async () => {
    const { iid } = await create(mia.token);
    const near = tracker.milestone(group, "near");
    const far = tracker.milestone(places.project(group.id), "far");
    expect((await update(mia.token, iid, { milestone_id: near.id })).body.milestone).toMatchObject({ id: near.id });
    expect((await update(mia.token, iid, { milestone_id: far.id })).body.milestone).toBeNull();
  });

  test("moves an issue to one epic, and out of it", async () => {
    const [one, other] = [tracker.epic(group.id, mia.id), tracker.epic(group.id, mia.id)];
    const { iid, id } = await create(mia.token, { epic_id: one.id });
    expect((await update(mia.token, iid, { epic_id: other.id })).body.epic).toMatchObject({ id: other.id });
    const links = world.store.of(epicIssues).by;
    expect([...links.epic_id.find(one.id)]).toEqual([]);
    expect(links.issue_id.find(id)).toBeDefined();
    expect((await update(mia.token, iid, { epic_iid: one.iid })).body.epic_iid).toBe(one.iid);
    expect((await update(mia.token, iid, { epic_id: 0 })).body).toMatchObject({ epic: null, epic_iid: null });
    expect(links.issue_id.find(id)).toBeUndefined();
  });

  test("assigns only readers of a confidential issue; a creation checks the project", async () => {
    const { iid, assignees } = await create(mia.token, { confidential: true, assignee_ids: [guest.id] });
    expect(assignees).toMatchObject([{ id: guest.id }]);
    const kept = await update(mia.token, iid, { assignee_ids: [guest.id, stranger.id, owner.id] });
    expect(kept.body.assignees.map(({ id }: Person) => id)).toEqual([guest.id, owner.id]);
  });
});
