import { expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const places = placesOf(world);
const tracker = trackerOf(world);
const author = await world.user({ username: "author" });
const stranger = await world.user();
const external = await world.user({ external: true });
const auditor = await world.user({ auditor: true });
const member = { guest: await world.user(), planner: await world.user(), reporter: await world.user() };

const allOf = async (path: string, token: string, query: Record<string, string> = {}): Promise<number> => {
  const { status, body } = await world.call("GET", path, { token, query: { scope: "all", ...query } });
  return status === 200 ? body.statistics.counts.all : status;
};
const inProject = (id: number) => `/projects/${id}/issues_statistics`;
const group = places.group({ path: "open", visibility: "public" });
for (const [role, { id }] of Object.entries(member))
  places.member(group, id, accessLevels[role as keyof typeof member]);

const everybody: Readonly<Record<string, Person | { token: string }>> = {
  root: { token: rootToken },
  auditor,
  ...member,
  author,
  stranger,
  external,
};

async function seen(path: string): Promise<Record<string, number>> {
  const entries = Object.entries(everybody).map(async ([name, { token }]) => [name, await allOf(path, token)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

const all = { root: 1, auditor: 1, guest: 1, planner: 1, reporter: 1, author: 1, stranger: 1, external: 1 };
const hidden = 404;

test("1: the project must be visible; a group's count leaves out the others", async () => {
  const below = places.group({ parent_id: group.id, visibility: "public" });
  const [open, internal, secret] = (["public", "internal", "private"] as const).map((visibility) => {
    const project = places.project(below.id, { visibility });
    tracker.issue(project, author.id);
    return project.id;
  });
  expect(await seen(inProject(open ?? 0))).toEqual(all);
  expect(await seen(inProject(internal ?? 0))).toEqual({ ...all, external: hidden });
  expect(await seen(inProject(secret ?? 0))).toEqual({ ...all, author: hidden, stranger: hidden, external: hidden });
  const three = Object.fromEntries(Object.keys(all).map((name) => [name, 3]));
  const expected = { ...three, author: 2, stranger: 2, external: 1 };
  expect(await seen(`/groups/${group.id}/issues_statistics`)).toEqual(expected);
  expect(await seen("/issues_statistics")).toEqual(expected);
});

test("1: members of an invited group see the project, those with minimal access do not", async () => {
  const [host, crew] = [places.group({}), places.group({})];
  const project = places.project(host.id);
  tracker.issue(project, author.id);
  const [invited, minimal] = [await world.user(), await world.user()];
  places.member(crew, invited.id, accessLevels.developer);
  places.member(host, minimal.id, accessLevels.minimal);
  places.share(project, crew, accessLevels.guest);
  expect(await allOf(inProject(project.id), invited.token)).toBe(1);
  expect(await allOf(inProject(project.id), minimal.token)).toBe(404);
});

test("2: issues that are off are hidden from all, those for members from others, even from their author", async () => {
  const project = places.project(group.id, { visibility: "public", settings: { issues_access_level: "private" } });
  tracker.issue(project, author.id, { assignee_ids: [stranger.id] });
  expect(await seen(inProject(project.id))).toEqual({ ...all, author: 0, stranger: 0, external: 0 });
  places.alterProject(project, { settings: { issues_access_level: "disabled" } });
  const none = Object.fromEntries(Object.keys(all).map((name) => [name, 0]));
  expect(await seen(inProject(project.id))).toEqual(none);
  expect(await allOf("/issues_statistics", rootToken, { author_id: String(author.id), labels: "x" })).toBe(0);
});

test("3: confidential ones are for author, assignees, planners and above, and those who see everything", async () => {
  const project = places.project(group.id, { visibility: "public" });
  tracker.issue(project, author.id, { confidential: true });
  expect(await seen(inProject(project.id))).toEqual({ ...all, guest: 0, stranger: 0, external: 0 });
  tracker.issue(project, member.guest.id, { confidential: true, assignee_ids: [external.id, stranger.id] });
  expect(await seen(inProject(project.id))).toEqual({
    ...{ root: 2, auditor: 2, planner: 2, reporter: 2 },
    ...{ guest: 1, author: 1, stranger: 1, external: 1 },
  });
  expect(await allOf(inProject(project.id), rootToken, { confidential: "true" })).toBe(2);
  expect(await allOf(inProject(project.id), rootToken, { confidential: "false" })).toBe(0);
});

test("issues of archived projects and of every type are counted", async () => {
  const project = places.project(group.id, { visibility: "public", archived: true });
  for (const issue_type of ["issue", "incident", "test_case", "task"] as const) {
    tracker.issue(project, author.id, { issue_type });
  }
  const before = await allOf("/issues_statistics", stranger.token);
  expect(await allOf(inProject(project.id), stranger.token)).toBe(4);
  places.alterProject(project, { archived: false });
  expect(await allOf("/issues_statistics", stranger.token, { non_archived: "true" })).toBe(before);
});

test("scope combines with author and assignee; none overrides another", async () => {
  const project = places.project(group.id, { visibility: "public" });
  tracker.issue(project, author.id, { assignee_ids: [stranger.id], title: "only here" });
  const asked = async (token: string, query: Record<string, string>) =>
    (await world.call("GET", "/issues_statistics", { token, query: { search: '"only here"', ...query } })).body
      .statistics.counts.all;
  expect(await asked(stranger.token, { author_id: String(author.id) })).toBe(0);
  expect(await asked(author.token, { author_id: String(author.id) })).toBe(1);
  expect(await asked(stranger.token, { author_id: String(author.id), scope: "assigned_to_me" })).toBe(1);
  expect(await asked(stranger.token, { author_id: String(author.id), scope: "all" })).toBe(1);
  expect(await asked(stranger.token, { scope: "assigned-to-me" })).toBe(1);
  expect(await asked(author.token, { scope: "created-by-me" })).toBe(1);
});
