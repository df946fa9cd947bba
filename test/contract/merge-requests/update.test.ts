import { describe, expect, test } from "bun:test";
import { mergeRequests } from "../../../src/modules/merge-requests/merge-requests/records.ts";
import { mergeRequestVersions } from "../../../src/modules/merge-requests/merge-requests/records-versions.ts";
import { rootToken } from "../../support/fixtures/world.ts";
import { mergeRequestsOf } from "../../support/merge-requests/records.ts";
import { mergeRequestScene } from "./scene.ts";

const { world, places, tracker, project, dora, reporter, owner, stranger, at, commit, create, update } =
  await mergeRequestScene();

describe("an update", () => {
  test("changes what it names, and clears", async () => {
    const { iid } = await create();
    tracker.label(project, "bug");
    const milestone = tracker.milestone(project, "2.0");
    world.clock.advance(60_000);
    const changed = await update(dora.token, iid, {
      ...{ title: "Draft: roof", description: "new", assignee_ids: [owner.id], reviewer_ids: [reporter.id] },
      ...{ add_labels: "bug", milestone_id: milestone.id, squash: true, discussion_locked: true },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      ...{ title: "Draft: roof", description: "new", draft: true, updated_at: world.clock.time() },
      ...{ assignees: [{ id: owner.id }], reviewers: [{ id: reporter.id }], labels: ["bug"], squash: true },
      ...{ milestone: { id: milestone.id }, discussion_locked: true, detailed_merge_status: "draft_status" },
    });
    const cleared = await update(dora.token, iid, {
      ...{ assignee_ids: [0], reviewer_ids: "", labels: "", milestone_id: 0, description: null },
    });
    expect(cleared.body).toMatchObject({ assignees: [], reviewers: [], labels: [], milestone: null });
    const queried = await world.call("PUT", `${at}/merge_requests/${iid}?assignee_ids[]=${dora.id}`, {
      token: dora.token,
    });
    expect(queried.body.assignees).toMatchObject([{ id: dora.id }]);
  });

  test("closes and opens again; what is so already stays", async () => {
    const { iid } = await create();
    const closed = await update(dora.token, iid, { state_event: "close" });
    expect(closed.body).toMatchObject({
      ...{ state: "closed", closed_by: { id: dora.id }, closed_at: world.clock.time() },
      detailed_merge_status: "not_open",
    });
    expect((await update(dora.token, iid, { state_event: "close" })).body).toEqual(closed.body);
    const reopened = await update(dora.token, iid, { state_event: "reopen" });
    expect(reopened.body).toMatchObject({ state: "opened", closed_by: null, closed_at: null });
  });

  test("opens one again with the branch as it is then, unless it is gone or another one is open", async () => {
    const { iid, source_branch, sha } = await create();
    await update(dora.token, iid, { state_event: "close" });
    const head = await commit(source_branch, "more.txt");
    expect((await world.get(`${at}/merge_requests/${iid}`)).body.sha).toBe(sha);
    const reopened = await update(dora.token, iid, { state_event: "reopen" });
    expect(reopened.body).toMatchObject({ sha: head, changes_count: "2" });
    const { id } = reopened.body;
    expect(world.store.of(mergeRequestVersions).by.merge_request_id.find(id).size).toBe(2);

    await update(dora.token, iid, { state_event: "close" });
    const twin = await create({ source_branch });
    const refused = await update(dora.token, iid, { state_event: "reopen" });
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${twin.iid}`] },
    ]);
    await update(dora.token, twin.iid, { state_event: "close" });
    await world.call("DELETE", `${at}/repository/branches/${source_branch}`, { token: owner.token });
    const lost = await update(dora.token, iid, { state_event: "reopen" });
    expect([lost.status, lost.body]).toEqual([400, { message: { source_branch: ["does not exist"] } }]);
  });

  test("takes another target, with a version of its own", async () => {
    const { iid, sha, diff_refs } = await create();
    const start_sha = await commit("stable", "stable.txt", "s", "main");
    const { body } = await update(dora.token, iid, { target_branch: "stable" });
    expect(body).toMatchObject({ target_branch: "stable", diff_refs: { ...diff_refs, start_sha }, sha });
    for (const [target_branch, status, message] of [
      ["gone", 400, { target_branch: ["does not exist"] }],
      [body.source_branch, 422, ["You can't use same project/branch for source and target"]],
    ]) {
      const refused = await update(dora.token, iid, { target_branch });
      expect([refused.status, refused.body]).toEqual([status, { message }]);
    }
  });

  test("of a merged one changes its text, and not its state", async () => {
    const { id, iid } = await create();
    const record = world.store.of(mergeRequests).get(id);
    if (record === undefined) throw new Error("gone");
    world.store.transact((tx) => tx.update(mergeRequests, { ...record, state: "merged" }));
    for (const state_event of ["close", "reopen"]) {
      expect((await update(dora.token, iid, { state_event, title: "t" })).body).toMatchObject({
        ...{ state: "merged", title: "t" },
      });
    }
  });
});

describe("rights", () => {
  test("to update have developers, the author and assignees; others set no metadata", async () => {
    const { iid } = await create();
    for (const token of [reporter.token, stranger.token]) {
      expect((await update(token, iid, { title: "t" })).status).toBe(403);
    }
    expect((await update(undefined, iid, { title: "t" })).status).toBe(401);
    await update(dora.token, iid, { assignee_id: reporter.id });
    const { status, body } = await update(reporter.token, iid, {
      ...{ title: "by rita", labels: "new", reviewer_ids: [owner.id], discussion_locked: true },
      remove_source_branch: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ title: "by rita", labels: [], reviewers: [], discussion_locked: null, force_remove_source_branch: null },
    });
  });

  test("hide merge requests: 403 for reads and updates, 404 for deletions", async () => {
    const place = places.project(places.group({ path: "secret", visibility: "private" }).id);
    places.member(place, reporter.id, 10);
    places.member(place, dora.id, 30);
    const path = `/projects/${place.id}/merge_requests`;
    const mergeRequest = mergeRequestsOf(world)(place, dora.id);
    for (const each of [path, `${path}/1`]) {
      expect((await world.call("GET", each, { token: reporter.token })).status).toBe(403);
    }
    expect((await world.call("DELETE", `${path}/1`, { token: reporter.token })).status).toBe(404);
    expect((await world.call("GET", path, { token: dora.token })).body).toMatchObject([{ id: mergeRequest.id }]);
    expect(await world.call("GET", path, { token: stranger.token })).toMatchObject({
      ...{ status: 404, body: { message: "404 Project Not Found" } },
    });
  });

  test("to delete have owners and administrators", async () => {
    const { id, iid } = await create();
    const path = `${at}/merge_requests/${iid}`;
    expect((await world.call("DELETE", path, { token: dora.token })).status).toBe(403);
    const headers = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
    expect((await world.call("DELETE", path, { token: owner.token, headers })).status).toBe(412);
    expect((await world.call("DELETE", path, { token: owner.token })).status).toBe(204);
    expect(await world.get(path)).toMatchObject({ status: 404, body: { message: "404 Not found" } });
    expect(world.store.of(mergeRequestVersions).by.merge_request_id.find(id).size).toBe(0);
    await world.jobsDone();
    const other = await create();
    expect(other.iid).toBe(iid + 1);
    expect((await world.call("DELETE", `${at}/merge_requests/${other.iid}`, { token: rootToken })).status).toBe(204);
  });
});

test("an update that names nothing, or blanks, is refused", async () => {
  const { iid } = await create();
  const refused = await update(dora.token, iid, {});
  expect(refused.body.error).toBe(
    "assignee_id, assignee_ids, reviewer_ids, description, labels, add_labels, remove_labels, milestone_id, milestone, remove_source_branch, allow_collaboration, allow_maintainer_to_push, squash, target_branch, title, state_event, discussion_locked, merge_after are missing, at least one parameter must be provided",
  );
  for (const [json, error] of [
    [{ title: "" }, "title is empty"],
    [{ state_event: "merge" }, "state_event does not have a valid value"],
    [{ milestone_id: 1, milestone: "a" }, "milestone_id, milestone are mutually exclusive"],
  ] as const) {
    expect((await update(dora.token, iid, json)).body.error).toBe(error);
  }
  expect((await world.get(`${at}/merge_requests/abc`)).body.error).toBe("merge_request_iid is invalid");
});
