import { expect, test } from "bun:test";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const tracker = trackerOf(world);
const [owner, below, minimal, guest] = [await world.user(), await world.user(), await world.user(), await world.user()];
const group = putGroup(world, { path: "contents", visibility: "private" });
const project = putProject(world, group.id, { path: "below", visibility: "private" });
putMember(world, groupRef(group), owner.id, 50);
putMember(world, groupRef(group), guest.id, 10);
putMember(world, groupRef(group), minimal.id, 5);
putMember(world, projectRef(project), below.id, 10);
const epic = tracker.epic(group.id, owner.id);
const act = (method: "GET" | "POST" | "DELETE", path: string, token: string, json: object = {}) =>
  world.call(method, path, method === "GET" ? { token } : { token, json });
const { body: label } = await act("POST", `/groups/${group.id}/labels`, rootToken, {
  name: "secret",
  color: "#112233",
});
const { body: milestone } = await act("POST", `/groups/${group.id}/milestones`, rootToken, { title: "secret" });

const contents = [
  ["labels", 403],
  [`labels/${label.id}`, 403],
  ["milestones", 403],
  [`milestones/${milestone.id}`, 403],
  [`milestones/${milestone.id}/issues`, 403],
  ["epics", 403],
  [`epics/${epic.iid}`, 403],
  [`epics/${epic.iid}/issues`, 403],
] as const;

test.each(contents)("%s of a private group are for its members", async (path, refused) => {
  const status = async (token: string) => (await act("GET", `/groups/${group.id}/${path}`, token)).status;
  expect([await status(owner.token), await status(guest.token)]).toEqual([200, 200]);
  expect([await status(below.token), await status(minimal.token)]).toEqual([refused, refused]);
});

test("a group is shared with one whose members the caller may read", async () => {
  for (const { token } of [below, minimal]) {
    const { body: own } = await act("POST", "/projects", token, { name: "own" });
    const json = { group_id: group.id, group_access: 30 };
    const { status, body } = await act("POST", `/projects/${own.id}/share`, token, json);
    expect({ status, body }).toEqual({ status: 404, body: { message: "404 Group Not Found" } });
  }
  const { body: own } = await act("POST", "/projects", guest.token, { name: "own" });
  const json = { group_id: group.id, group_access: 30 };
  expect((await act("POST", `/projects/${own.id}/share`, guest.token, json)).status).toBe(201);
});

test("a share that gives what owners have is ended by owners", async () => {
  const maintainer = await world.user();
  putMember(world, projectRef(project), maintainer.id, 40);
  const invited = putGroup(world, { visibility: "public" });
  const json = { group_id: invited.id, group_access: 50 };
  expect((await act("POST", `/projects/${project.id}/share`, owner.token, json)).status).toBe(201);
  const end = (token: string) => act("DELETE", `/projects/${project.id}/share/${invited.id}`, token);
  expect([(await end(maintainer.token)).status, (await end(owner.token)).status]).toEqual([403, 204]);
});

test("the owner of a group does not learn the times of a user whom they add, but the addresses in events", async () => {
  const victim = await world.user({ private_profile: true });
  putMember(world, groupRef(group), victim.id, 30);
  world.alter(victim.id, { last_activity_on: "2025-01-01", current_sign_in_at: "2025-01-01T00:00:00.000Z" });
  const seat = async (token: string) => {
    const { body } = await act("GET", `/groups/${group.id}/billable_members`, token);
    const { created_at, last_activity_on, last_login_at } = body.find(({ id }: { id: number }) => id === victim.id);
    return [created_at, last_activity_on, last_login_at].map((time) => time === null);
  };
  expect(await seat(owner.token)).toEqual([true, true, true]);
  expect(await seat(rootToken)).toEqual([false, false, false]);
  expect((await act("DELETE", `/groups/${group.id}/members/${victim.id}`, victim.token)).status).toBe(204);
  const left = async (token: string) => {
    const { body } = await act("GET", `/groups/${group.id}/audit_events`, token);
    const { details, ip_address } = body.find(({ author_id }: { author_id: number }) => author_id === victim.id);
    return [details.author_email, details.ip_address, ip_address];
  };
  for (const token of [owner.token, rootToken]) {
    expect(await left(token)).toEqual([victim.email, "127.0.0.1", "127.0.0.1"]);
  }
});

test("private profiles are not found by their times", async () => {
  const shy = await world.user({ private_profile: true });
  const found = async (query: string, token: string) => {
    const { body } = await act("GET", `/users?username=${shy.username}&${query}`, token);
    return body.length;
  };
  for (const query of ["created_before=2099-01-01", "created_after=2000-01-01", "order_by=created_at"]) {
    expect([await found(query, guest.token), await found(query, rootToken)]).toEqual([0, 1]);
  }
  expect(await found("", guest.token)).toBe(1);
});

test("the address of a readme is for those who may read the code", async () => {
  const json = { name: "readable", visibility: "public", initialize_with_readme: true };
  const { body: made } = await act("POST", "/projects", rootToken, json);
  const readme = async (token: string) => (await act("GET", `/projects/${made.id}`, token)).body.readme_url;
  expect(await readme(guest.token)).toBe(`${made.web_url}/-/blob/main/README.md`);
  await world.call("PUT", `/projects/${made.id}`, { token: rootToken, json: { repository_access_level: "private" } });
  expect([await readme(guest.token), await readme(rootToken)]).toEqual([
    undefined,
    `${made.web_url}/-/blob/main/README.md`,
  ]);
});

test("labels and milestones of a project are for those who may see its issues", async () => {
  const open = putProject(world, group.id, { path: "open-plans", visibility: "public" });
  await act("POST", `/projects/${open.id}/labels`, rootToken, { name: "own", color: "#112233" });
  await act("POST", `/projects/${open.id}/milestones`, rootToken, { title: "own" });
  const stranger = await world.user();
  const statuses = async (token: string) =>
    Promise.all(
      ["labels", "milestones"].map(async (path) => (await act("GET", `/projects/${open.id}/${path}`, token)).status),
    );
  expect(await statuses(stranger.token)).toEqual([200, 200]);
  const hide = (json: object) => world.call("PUT", `/projects/${open.id}`, { token: rootToken, json });
  await hide({ issues_access_level: "private", merge_requests_access_level: "private" });
  expect([await statuses(stranger.token), await statuses(guest.token)]).toEqual([
    [403, 403],
    [200, 200],
  ]);
});
