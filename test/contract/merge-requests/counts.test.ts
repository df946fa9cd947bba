import { expect, test } from "bun:test";
import { accessLevels } from "../../../src/domain/access-level.ts";
import { mergeRequests } from "../../../src/modules/merge-requests/merge-requests/records.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { mergeRequestsOf } from "../../support/merge-requests/records.ts";
import { trackerOf } from "../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const add = mergeRequestsOf(world);

test("open ones that wait for the caller are counted, and those that users wrote", async () => {
  const mia = await world.user();
  const project = places.project(places.group({ visibility: "private" }).id);
  places.member(project, mia.id, accessLevels.developer);
  const archived = places.project(places.group({ visibility: "private" }).id, { archived: true });
  places.member(archived, mia.id, accessLevels.developer);
  const hidden = places.project(places.group({ visibility: "private" }).id);
  add(project, mia.id, { assignee_ids: [mia.id] });
  add(project, mia.id, { assignee_ids: [mia.id], state: "closed" });
  add(project, 1, { reviewer_ids: [mia.id], assignee_ids: [mia.id] });
  for (const place of [archived, hidden]) add(place, 1, { assignee_ids: [mia.id], reviewer_ids: [mia.id] });
  expect((await world.call("GET", "/user_counts", { token: mia.token })).body).toMatchObject({
    ...{ merge_requests: 2, assigned_merge_requests: 2, review_requested_merge_requests: 1 },
  });
  const { body } = await world.call("GET", `/users/${mia.id}/associations_count`, { token: mia.token });
  expect(body.merge_requests_count).toBe(2);
});

test("labels count the open ones that the caller reads", async () => {
  const project = places.project(places.group({ visibility: "public" }).id, { visibility: "public" });
  const bug = tracker.label(project, "bug");
  add(project, 1, { label_ids: [bug.id] });
  add(project, 1, { label_ids: [bug.id], state: "merged" });
  const countOf = async (path: string) => (await world.get(path)).body[0].open_merge_requests_count;
  expect(await countOf(`/projects/${project.id}/labels?with_counts=true`)).toBe(1);
});

test("a member who leaves is taken off, if the removal asks for it", async () => {
  const mia = await world.user();
  const group = places.group();
  const project = places.project(group.id);
  const other = places.project(places.group().id);
  places.member(group, mia.id, accessLevels.developer);
  const own = add(project, 1, { assignee_ids: [mia.id], reviewer_ids: [mia.id, 1] });
  const elsewhere = add(other, 1, { assignee_ids: [mia.id] });
  const path = `/groups/${group.id}/members/${mia.id}?unassign_issuables=true`;
  expect((await world.call("DELETE", path, { token: rootToken })).status).toBe(204);
  await world.jobsDone();
  expect(world.store.of(mergeRequests).get(own.id)).toMatchObject({ assignee_ids: [], reviewer_ids: [1] });
  expect(world.store.of(mergeRequests).get(elsewhere.id)?.assignee_ids).toEqual([mia.id]);
});
