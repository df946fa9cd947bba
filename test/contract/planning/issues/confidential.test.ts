import { describe, expect, test } from "bun:test";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { replacePathParameters } from "../../../../src/modules/kernel/operation.ts";
import type { IssueRecord } from "../../../../src/modules/planning/issues/records.ts";
import { operations } from "../../../support/checks/operations.ts";
import { groupRef, projectRef, putGroup, putMember, putProject } from "../../../support/fixtures/places.ts";
import { type Answer, type Json, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

const world = await startWorld();
const tracker = trackerOf(world);
const [planner, guest, stranger] = [await world.user(), await world.user(), await world.user()];
const group = putGroup(world, { visibility: "public" });
const project = putProject(world, group.id, { visibility: "public" });
const elsewhere = putProject(world, group.id, { visibility: "public" });
putMember(world, groupRef(group), planner.id, 15);
putMember(world, projectRef(project), guest.id, 10);
for (const person of [guest, stranger]) putMember(world, projectRef(elsewhere), person.id, 40);
const epic = tracker.epic(group.id, planner.id);
const issue = tracker.issue(project, planner.id, { title: "t", confidential: true });
const note = world.store.transact((tx) =>
  tx.insert(notes, {
    ...{ id: tx.nextId("notes"), noteable_type: "Issue", noteable_id: issue.id, author_id: planner.id },
    ...{ body: "b", system: false, internal: false, created_at: world.clock.time(), updated_at: world.clock.time() },
  }),
);
const awardOf = async (path: string): Promise<number> =>
  (await world.call("POST", path, { token: planner.token, json: { name: "rocket" } })).body.id;
const issuePath = `/projects/${project.id}/issues/${issue.iid}`;
const awards = {
  issue: await awardOf(`${issuePath}/award_emoji`),
  note: await awardOf(`${issuePath}/notes/${note.id}/award_emoji`),
};

/** A body that every operation on an issue accepts. */
const sent = { title: "x", body: "x", name: "tada", duration: "1h", to_project_id: elsewhere.id };
const people: Readonly<Record<string, string | undefined>> = {
  guest: guest.token,
  stranger: stranger.token,
  anonymous: undefined,
};

const onIssues = operations.filter(({ path }) => /^\/projects\/:id\/issues\/:issue_iid|:epic_issue_id/.test(path));

async function ask(
  { method, path }: (typeof operations)[number],
  { id, iid }: Pick<IssueRecord, "id" | "iid">,
  token: string | undefined,
): Promise<Pick<Answer, "status" | "body">> {
  const inPath: Json = {
    ...{ id: path.startsWith("/groups") ? group.id : project.id, issue_iid: iid, note_id: note.id },
    ...{ award_id: path.includes("note_id") ? awards.note : awards.issue, epic_iid: epic.iid, epic_issue_id: id },
  };
  const url = replacePathParameters(path, (name) => `${inPath[name]}`);
  const json = method === "GET" || method === "DELETE" ? undefined : sent;
  const { status, body } = await world.call(method, url, { token, json });
  return { status, body };
}

describe.each(Object.keys(people))("a confidential issue that %s may not read", (name) => {
  for (const operation of onIssues) {
    test(`looks like a missing one: ${operation.method} ${operation.path}`, async () => {
      const before = JSON.stringify(await ask(operation, { id: 987_654, iid: 987_654 }, people[name]));
      const answer = await ask(operation, issue, people[name]);
      expect(JSON.stringify(answer)).toBe(before);
      expect(answer.status).toBeGreaterThanOrEqual(401);
    });
  }
});

test("a link to it looks missing to a planner of the epic's group", async () => {
  const secret = putProject(world, group.id, { visibility: "private" });
  const plans = putGroup(world);
  const [local, both] = [await world.user(), await world.user()];
  for (const person of [local, both]) putMember(world, groupRef(plans), person.id, 15);
  putMember(world, projectRef(secret), both.id, 15);
  const plan = tracker.epic(plans.id, both.id);
  const hidden = tracker.issue(secret, both.id);
  const links = `/groups/${plans.id}/epics/${plan.iid}/issues`;
  const { body: link } = await world.call("POST", `${links}/${hidden.id}`, { token: both.token });
  const missing = { status: 404, body: { message: "404 Epic Issue Not Found" } };
  for (const id of [link.id, 987_654]) {
    for (const method of ["PUT", "DELETE"]) {
      const { status, body } = await world.call(method, `${links}/${id}`, { token: local.token });
      expect({ status, body }).toEqual(missing);
    }
  }
});

test("the operations on an issue are among these", () => {
  expect(onIssues.length).toBeGreaterThan(25);
});
