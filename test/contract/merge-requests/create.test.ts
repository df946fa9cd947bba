import { describe, expect, test } from "bun:test";
import { mergeRequestScene } from "./scene.ts";

const scene = await mergeRequestScene();
const { world, places, tracker, group, project, dora, reporter, owner, stranger, at, commit, tryToCreate, create } =
  scene;

const branches = async (name: string) => {
  const head_sha = await commit(name, `${name}.txt`, "new\n", "main");
  const base_sha = (await world.get(`${at}/repository/branches/main`)).body.commit.id;
  return { head_sha, base_sha, json: { source_branch: name, target_branch: "main", title: "Mend the roof" } };
};

describe("a new merge request", () => {
  test("has every field of the page", async () => {
    const { head_sha, base_sha, json } = await branches("roof");
    const { status, body } = await tryToCreate(dora.token, json);
    expect(status).toBe(201);
    const author = { id: dora.id, username: "dora", name: "dora", state: "active", locked: false };
    expect(body).toEqual({
      ...{ id: expect.any(Number), iid: 1, project_id: project.id, title: "Mend the roof", description: null },
      ...{ state: "opened", created_at: world.clock.time(), updated_at: world.clock.time() },
      web_url: `${world.origin}/cars/van/-/merge_requests/1`,
      ...{ merged_by: null, merge_user: null, merged_at: null, closed_by: null, closed_at: null },
      ...{ target_branch: "main", source_branch: "roof", user_notes_count: 0, upvotes: 0, downvotes: 0 },
      author: { ...author, avatar_url: expect.any(String), web_url: `${world.origin}/dora` },
      ...{ assignees: [], assignee: null, reviewers: [], labels: [], milestone: null },
      ...{ source_project_id: project.id, target_project_id: project.id, draft: false, work_in_progress: false },
      ...{ imported: false, imported_from: "none", merge_when_pipeline_succeeds: false },
      ...{ merge_status: "can_be_merged", detailed_merge_status: "mergeable", merge_after: null },
      ...{ sha: head_sha, merge_commit_sha: null, squash_commit_sha: null, discussion_locked: null },
      ...{ should_remove_source_branch: null, force_remove_source_branch: null, prepared_at: world.clock.time() },
      ...{ reference: "!1", references: { short: "!1", relative: "!1", full: "cars/van!1" } },
      time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
      ...{ squash: false, squash_on_merge: false, task_completion_status: { count: 0, completed_count: 0 } },
      ...{ has_conflicts: false, blocking_discussions_resolved: true, approvals_before_merge: null },
      ...{ subscribed: true, changes_count: "1", diff_refs: { base_sha, head_sha, start_sha: base_sha } },
      ...{ latest_build_started_at: null, latest_build_finished_at: null, first_deployed_to_production_at: null },
      ...{ pipeline: null, head_pipeline: null, merge_error: null, user: { can_merge: false } },
    });
    const { first_contribution, ...read } = (await world.get(`${at}/merge_requests/1`)).body;
    expect(first_contribution).toBe(true);
    expect(read).toEqual({ ...body, subscribed: false, user: { can_merge: true } });
  });

  test("has its metadata, a draft's title, and the squash of the project", async () => {
    const milestone = tracker.milestone(group, "1.0");
    const { json } = await branches("filed");
    const { body } = await tryToCreate(dora.token, {
      ...json,
      ...{ title: " [draft] Mend it ", description: "- [ ] a\n- [x] b", labels: "noise,bug", milestone: "1.0" },
      ...{ assignee_ids: [reporter.id, 4711], reviewer_ids: `${owner.id},${owner.id}`, remove_source_branch: true },
      ...{ squash: true, merge_after: "2060-01-01T00:00:00Z" },
    });
    expect(body).toMatchObject({
      ...{ title: "[draft] Mend it", draft: true, work_in_progress: true, labels: ["bug", "noise"] },
      ...{ task_completion_status: { count: 2, completed_count: 1 }, milestone: { id: milestone.id } },
      ...{ assignees: [{ id: reporter.id }], assignee: { id: reporter.id }, reviewers: [{ id: owner.id }] },
      ...{ force_remove_source_branch: true, squash: true, squash_on_merge: true },
      ...{ merge_after: "2060-01-01T00:00:00.000Z", detailed_merge_status: "merge_time" },
    });
    const single = await tryToCreate(dora.token, { ...(await branches("single")).json, assignee_id: owner.id });
    expect(single.body.assignee.id).toBe(owner.id);
  });

  test("may have no commits", async () => {
    const made = await world.call("POST", `${at}/repository/branches`, {
      token: owner.token,
      json: { branch: "same", ref: "main" },
    });
    expect(made.status).toBe(201);
    const body = await create({ source_branch: "same" });
    expect(body.changes_count).toBeNull();
    expect(body.diff_refs.base_sha).toBe(body.sha);
  });
});

describe("a refusal", () => {
  const post = async (token: string | undefined, json: object) => {
    const { status, body } = await tryToCreate(token, json);
    return [status, body];
  };
  const json = { source_branch: "main", target_branch: "main", title: "t" };

  test("comes in the order of the page", async () => {
    const forbidden = [403, { message: "403 Forbidden" }];
    expect(await post(undefined, json)).toEqual([401, { message: "401 Unauthorized" }]);
    expect((await post(reporter.token, { source_branch: "x" }))[1]).toMatchObject({
      error: "target_branch is missing, title is missing",
    });
    expect(await post(reporter.token, json)).toEqual(forbidden);
    expect(await post(stranger.token, json)).toEqual(forbidden);
    const hidden = places.project(places.group({ visibility: "private" }).id);
    const other = places.project(group.id, { visibility: "public" });
    expect(await post(dora.token, { ...json, target_project_id: hidden.id })).toEqual([
      404,
      { message: "404 Not found" },
    ]);
    expect(await post(dora.token, { ...json, target_project_id: other.id })).toEqual([
      422,
      { message: ["Source project is not a fork of the target project"] },
    ]);
    expect(await post(dora.token, json)).toEqual([
      422,
      { message: ["You can't use same project/branch for source and target"] },
    ]);
    expect(await post(dora.token, { source_branch: "gone", target_branch: "main", title: "" })).toEqual([
      400,
      { message: { source_branch: ["does not exist"] } },
    ]);
    expect(await post(dora.token, { source_branch: "main", target_branch: "gone", title: "t" })).toEqual([
      400,
      { message: { target_branch: ["does not exist"] } },
    ]);
    const { iid, source_branch } = await create();
    expect(await post(dora.token, { source_branch, target_branch: "main", title: "" })).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${iid}`] },
    ]);
    const next = (await branches("untitled")).json;
    expect(await post(dora.token, { ...next, title: " " })).toEqual([400, { message: { title: ["can't be blank"] } }]);
    expect(await post(dora.token, { ...next, title: "x".repeat(256) })).toEqual([
      400,
      { message: { title: ["is too long (maximum is 255 characters)"] } },
    ]);
  });

  test("meets everybody where merge requests are off, and in an archived project", async () => {
    for (const attributes of [{ settings: { merge_requests_access_level: "disabled" } }, { archived: true }] as const) {
      const place = places.project(group.id, { visibility: "public", ...attributes });
      places.member(place, dora.id, 50);
      const { status } = await world.call("POST", `/projects/${place.id}/merge_requests`, { token: dora.token, json });
      expect(status).toBe(403);
    }
  });
});

test("two creations at once give two numbers, or one of them is a twin", async () => {
  const [one, other] = [(await branches("one")).json, (await branches("other")).json];
  const made = await Promise.all([one, other, one].map((each) => tryToCreate(dora.token, each)));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  const iids = made.flatMap(({ status, body }) => (status === 201 ? [body.iid] : []));
  expect(new Set(iids).size).toBe(2);
});
