import { describe, expect, test } from "bun:test";
import { insertEpicLink } from "../../../../src/modules/planning/issues/index.ts";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const tracker = trackerOf(world);
const [planner, member, reader, guest, stranger] = [
  await world.user(),
  await world.user(),
  await world.user(),
  await world.user(),
  await world.user(),
];
const secret = putGroup(world, { path: "secret", visibility: "private" });
putMember(world, groupRef(secret), planner.id, 15);
putMember(world, groupRef(secret), reader.id, 10);
const open = putGroup(world, { path: "open", visibility: "public" });
const project = putProject(world, open.id, { visibility: "public" });
putMember(world, projectRef(project), planner.id, 40);
putMember(world, projectRef(project), member.id, 40);
putMember(world, projectRef(project), guest.id, 10);
const milestone = tracker.milestone(project, "1.0");

const people = { planner, member, reader, guest, stranger, anonymous: undefined };

function issueIn(confidential: boolean) {
  const epic = tracker.epic(secret.id, planner.id, { title: "hidden plan", confidential });
  const issue = tracker.issue(project, planner.id, { title: epic.title, milestone_id: milestone.id });
  world.store.transact((tx) => insertEpicLink(tx, world.store, issue, epic.id));
  return { epic, issue };
}

describe.each([
  ["an epic of a private group", false, ["planner", "reader"]],
  ["a confidential epic", true, ["planner"]],
] as const)("%s", (_, confidential, readers) => {
  const { epic, issue } = issueIn(confidential);
  const path = `/projects/${project.id}/issues/${issue.iid}`;
  const url = `/groups/secret/-/epics/${epic.iid}`;
  const shown = {
    epic_iid: epic.iid,
    epic: { id: epic.id, iid: epic.iid, title: epic.title, url, group_id: secret.id },
  };
  const hidden = { epic_iid: null, epic: null };
  const entryOf = (body: Json) => (Array.isArray(body) ? body.find(({ id }: Json) => id === issue.id) : body);

  for (const [name, person] of Object.entries(people)) {
    const isReader = (readers as readonly string[]).includes(name);

    test(`is ${isReader ? "shown" : "hidden"} with the issue to ${name}`, async () => {
      const paths = ["/issues?scope=all", `/groups/${open.id}/issues`, `/projects/${project.id}/issues`, path];
      const milestoned = `/projects/${project.id}/milestones/${milestone.id}/issues`;
      for (const each of person === undefined ? paths : [...paths, milestoned]) {
        const { status, body } = await world.call("GET", each, { token: person?.token });
        const { epic_iid, epic } = entryOf(body);
        expect([each, status, { epic_iid, epic }]).toEqual([each, 200, isReader ? shown : hidden]);
      }
    });

    test(`is ${isReader ? "one" : "none"} to filter by for ${name}`, async () => {
      const count = async (where: string) =>
        (await world.call("GET", `/issues?scope=all&${where}`, { token: person?.token })).body.length;
      expect(await count(`epic_id=${epic.id}`)).toBe(isReader ? 1 : 0);
      const { body } = await world.call("GET", `/issues_statistics?scope=all&epic_id=${epic.id}`, {
        token: person?.token,
      });
      if (person !== undefined) expect(body.statistics.counts.all).toBe(isReader ? 1 : 0);
    });
  }

  test("is hidden in the answer to a change, and the issue stays in it", async () => {
    const { body } = await world.call("PUT", path, { token: member.token, json: { description: "changed" } });
    expect(body).toMatchObject(hidden);
    const { body: after } = await world.call("GET", path, { token: planner.token });
    expect(after).toMatchObject({ ...shown, description: "changed" });
  });
});

test("an issue is put into an epic of a group that is above it, or that the caller is a member of, and no other", async () => {
  const author = await world.user();
  const { body: own } = await world.call("POST", "/projects", { token: author.token, json: { name: "own" } });
  const elsewhere = putGroup(world, { path: "elsewhere", visibility: "public" });
  const epic = tracker.epic(elsewhere.id, planner.id, { title: "plan of others" });
  const { token } = author;
  const json = { title: "t", epic_id: epic.id };
  const create = () => world.call("POST", `/projects/${own.id}/issues`, { token, json });
  expect((await create()).body).toEqual({ message: "403 Forbidden" });
  const { body: issue } = await world.call("POST", `/projects/${own.id}/issues`, { token, json: { title: "t" } });
  const change = (more: object) =>
    world.call("PUT", `/projects/${own.id}/issues/${issue.iid}`, { token, json: { epic_id: epic.id, ...more } });
  expect((await change({})).status).toBe(403);
  putMember(world, groupRef(elsewhere), author.id, 10);
  expect((await change({})).body.epic.id).toBe(epic.id);
  await world.call("DELETE", `/groups/${elsewhere.id}/members/${author.id}`, { token: rootToken });
  expect((await change({ title: "renamed" })).body).toMatchObject({ title: "renamed", epic: { id: epic.id } });
});
