import { expect, test } from "bun:test";
import { mergeRequests } from "../../../src/modules/merge-requests/merge-requests/records.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { mergeRequestScene } from "./scene.ts";

const { world, project, dora, reporter, owner, stranger, at, create, update } = await mergeRequestScene();

const ask = async (method: string, iid: number, path: string, token: string, json: object = {}) => {
  const { status, body } = await world.call(method, `${at}/merge_requests/${iid}/${path}`, {
    token,
    ...(method === "GET" ? {} : { json }),
  });
  return { status, body };
};

test("members who may update it approve it once, but not their own work, and take that back", async () => {
  const { id, iid, sha } = await create({ reviewer_ids: [owner.id] });
  expect((await ask("GET", iid, "approvals", owner.token)).body).toEqual({
    ...{ user_has_approved: false, user_can_approve: true, approved: true, approved_by: [] },
    ...{ id, iid, project_id: project.id, title: "Mend the roof", description: null, state: "opened" },
    ...{ created_at: expect.any(String), updated_at: expect.any(String), merge_status: "can_be_merged" },
    ...{ approvals_required: 0, approvals_left: 0 },
  });
  for (const { token } of [reporter, stranger]) expect((await ask("POST", iid, "approve", token)).status).toBe(403);
  expect((await ask("POST", iid, "approve", dora.token)).status).toBe(401);
  expect(await ask("POST", iid, "approve", owner.token, { sha: "0".repeat(40) })).toEqual({
    ...{ status: 409, body: { message: `SHA does not match HEAD of source branch: ${sha}` } },
  });
  expect((await ask("POST", iid, "unapprove", owner.token)).status).toBe(404);
  const approved = await ask("POST", iid, "approve", owner.token, { sha });
  expect(approved.status).toBe(201);
  expect(approved.body).toMatchObject({
    ...{ user_has_approved: true, user_can_approve: false },
    approved_by: [{ user: { id: owner.id }, approved_at: world.clock.time() }],
  });
  expect((await ask("POST", iid, "approve", owner.token)).status).toBe(401);
  expect((await ask("GET", iid, "reviewers", owner.token)).body[0].state).toBe("approved");
  const ids = async (query: string) =>
    (await world.get(`${at}/merge_requests?${query}`)).body.map((each: Json) => each.id);
  expect(await ids("approved=yes")).toEqual([id]);
  expect(await ids("approved=no")).toEqual([]);
  expect(await ids(`approved_by_ids=${owner.id}`)).toEqual([id]);
  expect(await ids("approved_by_usernames=dora")).toEqual([]);
  expect(await ids("approved_by_ids=None")).toEqual([]);
  expect(await ask("POST", iid, "unapprove", owner.token)).toMatchObject({ status: 201, body: { approved_by: [] } });
  const notes = (await world.get(`${at}/merge_requests/${iid}/notes?sort=asc`)).body.map(({ body }: Json) => body);
  expect(notes).toEqual([
    "requested review from @olga",
    "approved this merge request",
    "unapproved this merge request",
  ]);
});

test("a project may need approvals", async () => {
  const { iid } = await create();
  await world.call("PUT", at, { token: owner.token, json: { approvals_before_merge: 1 } });
  expect((await ask("GET", iid, "approvals", owner.token)).body).toMatchObject({ approved: false, approvals_left: 1 });
  await ask("POST", iid, "approve", owner.token);
  expect((await ask("GET", iid, "approvals", owner.token)).body).toMatchObject({ approved: true, approvals_left: 0 });
  await world.call("PUT", at, { token: owner.token, json: { approvals_before_merge: 0 } });
});

test("a merged one is approved by nobody", async () => {
  const { id, iid } = await create();
  const record = world.store.of(mergeRequests).get(id);
  if (record === undefined) throw new Error("gone");
  world.store.transact((tx) => tx.update(mergeRequests, { ...record, state: "merged" }));
  expect((await ask("POST", iid, "approve", owner.token)).status).toBe(401);
  await update(dora.token, iid, { title: "t" });
});
