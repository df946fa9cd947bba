import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const group = places.group({ path: "cars", visibility: "public" });
const below = places.group({ path: "vans", parent_id: group.id, visibility: "public" });
const lowest = places.group({ path: "big", parent_id: below.id, visibility: "public" });
const project = places.project(group.id, { path: "one", visibility: "public" });
const deep = places.project(lowest.id, { path: "two", visibility: "public" });
const empty = places.project(group.id, { path: "empty", visibility: "public" });
const closed = { state: "closed" } as const;
for (const attributes of [{}, {}, closed]) tracker.issue(project, ann.id, attributes);
for (const attributes of [{}, closed]) tracker.issue(deep, bob.id, { assignee_ids: [ann.id], ...attributes });

const counts = (closedCount: number, opened: number) => ({
  statistics: { counts: { all: closedCount + opened, closed: closedCount, opened } },
});
const paths = [
  "/issues_statistics",
  `/groups/${group.id}/issues_statistics`,
  `/projects/${project.id}/issues_statistics`,
];
const asked = (path: string, query: Record<string, string> = {}, token = ann.token) =>
  world.call("GET", path, { token, query });

test("the three paths answer counts in the same nesting", async () => {
  expect(await asked("/issues_statistics")).toMatchObject({ status: 200, body: counts(1, 2) });
  expect((await asked(`/groups/${group.id}/issues_statistics`)).text).toBe(
    '{"statistics":{"counts":{"all":5,"closed":2,"opened":3}}}',
  );
  expect((await asked(`/projects/${project.id}/issues_statistics`)).body).toEqual(counts(1, 2));
});

test("groups and projects are named by their paths too, a group's count goes down to any depth", async () => {
  expect((await asked("/groups/cars%2Fvans/issues_statistics")).body).toEqual(counts(1, 1));
  expect((await asked("/groups/cars%2Fvans%2Fbig/issues_statistics")).body).toEqual(counts(1, 1));
  expect((await asked("/projects/cars%2Fone/issues_statistics")).body).toEqual(counts(1, 2));
  expect((await asked("/projects/cars%2Fvans%2Fbig%2Ftwo/issues_statistics")).body).toEqual(counts(1, 1));
});

test("the global path counts the caller's own issues by default; the others count all", async () => {
  expect((await asked("/issues_statistics", {}, bob.token)).body).toEqual(counts(1, 1));
  expect((await asked("/issues_statistics", { scope: "" }, bob.token)).body).toEqual(counts(1, 1));
  expect((await asked("/issues_statistics", { scope: "all" })).body).toEqual(counts(2, 3));
  expect((await asked(`/groups/${group.id}/issues_statistics`, { scope: "created_by_me" })).body).toEqual(counts(1, 2));
  expect((await asked(`/projects/${deep.id}/issues_statistics`, { scope: "assigned_to_me" })).body).toEqual(
    counts(1, 1),
  );
});

test("an empty result has zeros, and none of the answers is a list with pages", async () => {
  const answer = await asked(`/projects/${empty.id}/issues_statistics`);
  expect(answer).toMatchObject({ status: 200, body: counts(0, 0) });
  expect(answer.headers.get("x-total") ?? answer.headers.get("link")).toBeNull();
});

test("anonymous callers are refused, whatever the scope and the visibility", async () => {
  for (const path of paths) {
    for (const query of [{}, { scope: "all" }, { scope: "nonsense" }]) {
      expect(await world.call("GET", path, { query })).toMatchObject({
        status: 401,
        body: { message: "401 Unauthorized" },
      });
    }
    expect((await asked(path, {}, "no such token")).status).toBe(401);
  }
});

test("a missing or hidden source is 404 with its noun", async () => {
  const hidden = places.group({ path: "hidden" });
  const inHidden = places.project(hidden.id, { path: "secret" });
  for (const id of [hidden.id, "hidden", 999_999]) {
    const { status, body } = await asked(`/groups/${id}/issues_statistics`);
    expect([status, body]).toEqual([404, { message: "404 Group Not Found" }]);
  }
  for (const id of [inHidden.id, "hidden%2Fsecret", 999_999]) {
    const { status, body } = await asked(`/projects/${id}/issues_statistics`);
    expect([status, body]).toEqual([404, { message: "404 Project Not Found" }]);
  }
});

test("a path with a bare slash is no route, other methods are not allowed", async () => {
  expect((await asked("/groups/cars/vans/issues_statistics")).status).toBe(404);
  expect((await asked("/projects/cars/one/issues_statistics")).status).toBe(404);
  for (const path of paths) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await world.call(method, path, { token: ann.token })).status).toBe(405);
    }
    const head = await world.call("HEAD", path, { token: ann.token });
    expect([head.status, head.text]).toEqual([200, ""]);
  }
});

test("a member of a project below reads its private group, and counts the issues that they see there", async () => {
  const secret = places.group({ path: "secret" });
  const [own, other] = [places.project(secret.id), places.project(secret.id)];
  places.member(own, bob.id, accessLevels.guest);
  tracker.issue(own, ann.id);
  tracker.issue(other, ann.id, closed);
  expect((await asked("/groups/secret/issues_statistics", {}, bob.token)).body).toEqual(counts(0, 1));
  expect((await asked("/groups/secret/issues_statistics", {}, rootToken)).body).toEqual(counts(1, 1));
  expect((await asked("/groups/secret/issues_statistics")).status).toBe(404);
  const crew = places.group({ path: "crew" });
  places.member(crew, ann.id, accessLevels.reporter);
  places.share(secret, crew, accessLevels.guest);
  expect((await asked("/groups/secret/issues_statistics")).body).toEqual(counts(1, 1));
});

test("sudo counts for the impersonated user", async () => {
  const answer = await world.call("GET", "/issues_statistics", { token: rootToken, query: { sudo: "ann" } });
  expect(answer.body).toEqual((await asked("/issues_statistics")).body);
  expect((await asked("/issues_statistics", {}, rootToken)).body).toEqual(counts(0, 0));
});

test("the former path of a project redirects", async () => {
  const renamed = places.project(group.id, { path: "before", visibility: "public" });
  await world.call("PUT", `/projects/${renamed.id}`, { token: rootToken, json: { path: "after" } });
  const answer = await asked("/projects/cars%2Fbefore/issues_statistics");
  expect(answer.status).toBe(301);
  expect(answer.headers.get("location")).toEndWith(`/projects/${renamed.id}/issues_statistics`);
  expect((await asked("/projects/cars%2Fafter/issues_statistics")).body).toEqual(counts(0, 0));
});

test("deleted issues and those of deleted projects do not count", async () => {
  const gone = places.project(group.id, { path: "gone", visibility: "public" });
  const [first] = [tracker.issue(gone, ann.id), tracker.issue(gone, ann.id)];
  expect((await asked(`/projects/${gone.id}/issues_statistics`)).body).toEqual(counts(0, 2));
  world.store.transact((tx) => tx.remove(issues, first?.id ?? 0));
  expect((await asked(`/projects/${gone.id}/issues_statistics`)).body).toEqual(counts(0, 1));
  expect((await world.call("DELETE", `/projects/${gone.id}`, { token: rootToken })).status).toBe(202);
  expect((await asked(`/groups/${group.id}/issues_statistics`, { scope: "created_by_me" })).body).toEqual(counts(1, 2));
});
