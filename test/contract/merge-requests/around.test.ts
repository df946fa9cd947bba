import { describe, expect, test } from "bun:test";
import { type MailRecord, mails } from "../../../src/modules/core/outbox/records.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { mergeRequestScene } from "./scene.ts";

const { world, tracker, project, dora, reporter, owner, stranger, at, commit, create, update } =
  await mergeRequestScene();

const post = (iid: number, path: string, json: object = {}, token = dora.token) =>
  world.call("POST", `${at}/merge_requests/${iid}/${path}`, { token, json });
const get = async (iid: number, path: string, token = dora.token) =>
  (await world.call("GET", `${at}/merge_requests/${iid}/${path}`, { token })).body;
const systemNotes = async (iid: number): Promise<string[]> =>
  (await get(iid, "notes?sort=asc&activity_filter=only_activity")).map(({ body }: Json) => body);

describe("notes", () => {
  test("are written, counted, changed and deleted; reactions count as votes", async () => {
    const { id, iid } = await create();
    const { status, body } = await post(iid, "notes", { body: "I agree." }, stranger.token);
    expect(status).toBe(201);
    expect(body).toMatchObject({ noteable_type: "MergeRequest", noteable_id: id, noteable_iid: iid, body: "I agree." });
    const path = `${at}/merge_requests/${iid}`;
    const changed = await world.call("PUT", `${path}/notes/${body.id}`, {
      ...{ token: stranger.token, json: { body: "No." } },
    });
    expect(changed.body.body).toBe("No.");
    expect((await post(iid, "award_emoji", { name: "thumbsup" }, reporter.token)).status).toBe(201);
    expect((await post(iid, `notes/${body.id}/award_emoji`, { name: "eyes" })).status).toBe(201);
    expect((await world.get(path)).body).toMatchObject({ user_notes_count: 1, upvotes: 1, downvotes: 0 });
    expect((await world.call("DELETE", `${path}/notes/${body.id}`, { token: owner.token })).status).toBe(204);
    expect((await world.get(path)).body.user_notes_count).toBe(0);
    expect(await world.call("GET", `${at}/merge_requests/4711/notes`)).toMatchObject({
      ...{ status: 404, body: { message: "404 MergeRequest Not Found" } },
    });
  });

  test("are for members once the discussion is locked", async () => {
    const { iid } = await create();
    await update(dora.token, iid, { discussion_locked: true });
    expect((await post(iid, "notes", { body: "a" }, stranger.token)).status).toBe(403);
    expect((await post(iid, "notes", { body: "a" }, reporter.token)).status).toBe(201);
  });
});

describe("quick actions", () => {
  test("act in a note, and say so", async () => {
    const { iid } = await create();
    tracker.label(project, "bug");
    const said = async (body: string) => {
      const answer = await post(iid, "notes", { body });
      expect([body, answer.status]).toEqual([body, 202]);
      return answer.body.summary[0];
    };
    expect(await said("/draft")).toBe("Marked this merge request as a draft.");
    expect(await said("/draft")).toBe("No change to this merge request's draft status.");
    expect(await said("/request_review @rita\n/label ~bug\n/estimate 2h")).toBe(
      'Requested a review from @rita. Added ~"bug" label. Set time estimate to 2h.',
    );
    expect((await world.get(`${at}/merge_requests/${iid}`)).body).toMatchObject({
      ...{ title: "Draft: Mend the roof", draft: true, labels: ["bug"], reviewers: [{ username: "rita" }] },
      time_stats: { time_estimate: 7200 },
    });
    expect(await said("/ready\n/unassign_reviewer\n/spend 1h\n/close")).toBe(
      "Marked this merge request as ready. Removed reviewer @rita. Added 1h spent time. Closed this merge request.",
    );
    expect(await said("/reopen")).toBe("Reopened this merge request.");
    const { body } = await world.get(`${at}/merge_requests/${iid}`);
    expect(body).toMatchObject({ title: "Mend the roof", reviewers: [], state: "opened" });
    expect(body.time_stats.total_time_spent).toBe(3600);
    expect(await said("/confidential")).toBe("Could not apply confidential command.");
  });

  test("act in a description, and leave it", async () => {
    const body = await create({ description: "Why\n/draft\n/assign @dora", reviewer_ids: [] });
    expect(body).toMatchObject({ description: "Why", draft: true, assignees: [{ id: dora.id }] });
    const changed = await update(dora.token, body.iid, { description: "Because\n/ready\n/close" });
    expect(changed.body).toMatchObject({ description: "Because", draft: false, state: "closed" });
  });
});

test("system notes tell what changed, and issues that they are mentioned", async () => {
  const issue = tracker.issue(project, dora.id);
  const { iid } = await create({ title: "Mend", description: `Because of #${issue.iid}` });
  await commit("release", "release.txt", "r", "main");
  await update(dora.token, iid, { title: "Draft: Mend", reviewer_ids: [reporter.id] });
  await update(dora.token, iid, { title: "Mend it", assignee_id: owner.id, reviewer_ids: [] });
  await update(dora.token, iid, { target_branch: "release", discussion_locked: true, state_event: "close" });
  expect(await systemNotes(iid)).toEqual([
    "marked this merge request as **draft**",
    "requested review from @rita",
    "changed title from **{-Draft: -}Mend** to **Mend{+ it+}**",
    "assigned to @olga",
    "marked this merge request as **ready**",
    "removed review request for @rita",
    "locked the discussion in this merge request",
    "closed",
    "changed target branch from `main` to `release`",
  ]);
  const { body } = await world.get(`${at}/issues/${issue.iid}/notes`);
  expect(body).toMatchObject([{ system: true, body: `mentioned in merge request !${iid}` }]);
});

test("participants, reviewers and subscribers", async () => {
  const { iid, created_at } = await create({ description: "for @sid", assignee_ids: [owner.id] });
  await post(iid, "notes", { body: "hm" }, reporter.token);
  world.clock.advance(60_000);
  const asked = await update(dora.token, iid, { reviewer_ids: [reporter.id] });
  const usernames = (await get(iid, "participants")).map(({ username }: Json) => username);
  expect(usernames).toEqual(["dora", "olga", "rita", "sid"]);
  expect(asked.body.updated_at).not.toBe(created_at);
  expect(await get(iid, "reviewers")).toMatchObject([
    { user: { username: "rita" }, state: "unreviewed", created_at: asked.body.updated_at },
  ]);
  expect((await post(iid, "subscribe")).status).toBe(304);
  expect(await post(iid, "unsubscribe")).toMatchObject({ status: 201, body: { subscribed: false } });
  expect((await post(iid, "unsubscribe")).status).toBe(304);
  expect(await post(iid, "subscribe", {}, stranger.token)).toMatchObject({ status: 201, body: { subscribed: true } });
});

test("time is tracked by developers", async () => {
  const { iid } = await create();
  expect((await post(iid, "time_estimate", { duration: "2h" }, reporter.token)).status).toBe(403);
  expect((await post(iid, "time_estimate", { duration: "2h" })).body).toMatchObject({ human_time_estimate: "2h" });
  expect((await post(iid, "add_spent_time", { duration: "30m" })).status).toBe(201);
  expect((await post(iid, "add_spent_time", { duration: "-1h" })).status).toBe(400);
  expect(await get(iid, "time_stats")).toMatchObject({ time_estimate: 7200, total_time_spent: 1800 });
  expect((await post(iid, "reset_spent_time")).body.total_time_spent).toBe(0);
  expect(await systemNotes(iid)).toEqual([
    "changed time estimate to 2h",
    "added 30m of time spent",
    "removed time spent",
  ]);
});

test("mails go to those who take part", async () => {
  const log = world.store.logOf(mails);
  const before = log.size;
  const { iid } = await create({ title: "Paint", assignee_ids: [owner.id] });
  await update(dora.token, iid, { reviewer_ids: [reporter.id] });
  await update(owner.token, iid, { state_event: "close" });
  const written = Array.from({ length: log.size - before }, (_, each) => log.get(before + each + 1) as MailRecord);
  expect(written.map(({ event, to }) => [event, to]).sort()).toEqual(
    [
      ["new_merge_request", owner.email],
      ["change_reviewer_merge_request", owner.email],
      ["change_reviewer_merge_request", reporter.email],
      ["close_merge_request", dora.email],
      ["close_merge_request", reporter.email],
    ].sort(),
  );
  expect(written[0]?.subject).toBe(`van | Paint (!${iid})`);
});
