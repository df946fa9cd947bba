import { describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { notes } from "../../../../src/modules/discussions/notes/records.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

const world = await startWorld();
const { project, group, person, issue, note } = await setTracker(world, "public");
const planner = await person(accessLevels.planner);
const other = await person(accessLevels.developer);
const stranger = await world.user();

const pathOf = ({ iid }: Json, rest = "") => `/projects/${project.id}/issues/${iid}${rest}`;
const update = (held: Json, json: Json) => world.call("PUT", pathOf(held), { token: planner.token, json });
const activity = async (held: Json, token: string | undefined = planner.token): Promise<string[]> => {
  const query = { activity_filter: "only_activity", sort: "asc", per_page: 100 };
  return (await world.call("GET", pathOf(held, "/notes"), { token, query })).body.map(({ body }: Json) => body);
};
const member = `@${other.username}`;

describe("a system note says what changed on an issue", () => {
  test.each([
    [{ state_event: "close" }, ["closed"]],
    [{ title: "Wheels rattle" }, ["changed title from **Wheels {-squeak-}** to **Wheels {+rattle+}**"]],
    [{ description: "Oil" }, ["changed the description"]],
    [{ confidential: true }, ["made the issue confidential"]],
    [{ discussion_locked: true }, ["locked the discussion in this issue"]],
    [{ discussion_locked: false }, []],
    [{ due_date: "2024-05-09" }, ["changed due date to May 9, 2024"]],
    [
      { start_date: "2024-05-02", due_date: "2024-05-09" },
      ["changed start date to May 2, 2024 and changed due date to May 9, 2024"],
    ],
    [{ issue_type: "test_case" }, ["changed type from issue to test case"]],
    [
      { issue_type: "incident", severity: "high" },
      ["changed type from issue to incident", "changed the severity to **High - S2**"],
    ],
    [{ weight: 3 }, ["set weight to **3**"]],
    [{ assignee_ids: [other.id] }, [`assigned to ${member}`]],
    [{ assignee_ids: [other.id, planner.id] }, [`assigned to ${member} and @${planner.username}`]],
    [{ updated_at: "2024-05-09" }, []],
  ] as [Json, string[]][])("%j", async (json, expected) => {
    const held = await issue({ title: "Wheels squeak" });
    await world.call("PUT", pathOf(held), { token: rootToken, json: { title: "Wheels squeak", ...json } });
    expect(await activity(held, rootToken)).toEqual(expected);
  });

  test("and what was taken away", async () => {
    const held = await issue({ assignee_ids: [other.id], due_date: "2024-05-09", weight: 3 }, { token: planner.token });
    expect(await activity(held)).toEqual(["changed due date to May 9, 2024", `assigned to ${member}`]);
    await update(held, { state_event: "close" });
    await update(held, { assignee_ids: [], due_date: "", weight: "", state_event: "reopen" });
    expect((await activity(held)).slice(2)).toEqual([
      ...["closed", "reopened", "removed the weight"],
      ...["removed due date May 9, 2024", `unassigned ${member}`],
    ]);
  });

  test("with labels by id, and milestones of a group by title", async () => {
    const held = await issue({ labels: "bug, ui" }, { token: planner.token });
    const labels: Json[] = (await world.call("GET", `/projects/${project.id}/labels`, { token: planner.token })).body;
    const id = (name: string) => labels.find((label) => label.name === name)?.id;
    expect(await activity(held)).toEqual([`added ~${id("bug")} ~${id("ui")} labels`]);
    const milestone = async (of: string, title: string) =>
      (await world.call("POST", `${of}/milestones`, { token: rootToken, json: { title } })).body;
    const own = await milestone(`/projects/${project.id}`, "1.0");
    const above = await milestone(`/groups/${group.id}`, "next year");
    await update(held, { remove_labels: "ui", milestone_id: own.id });
    await update(held, { milestone_id: above.id });
    await update(held, { milestone_id: 0 });
    expect((await activity(held)).slice(1)).toEqual([
      ...[`changed milestone to %${own.iid}`, `removed ~${id("ui")} label`],
      ...['changed milestone to %"next year"', "removed milestone"],
    ]);
  });

  test("with each check box that was ticked", async () => {
    const held = await issue({ description: "- [ ] oil\n- [x] paint" });
    await update(held, { description: "- [x] oil\n- [ ] paint" });
    expect(await activity(held)).toEqual([
      "marked the checklist item **oil** as completed",
      "marked the checklist item **paint** as incomplete",
    ]);
  });

  test("with estimates and time spent", async () => {
    const held = await issue();
    const track = (name: string, duration?: string) =>
      world.call("POST", pathOf(held, `/${name}`), { token: planner.token, json: { duration } });
    await track("time_estimate", "3h 30m");
    await track("add_spent_time", "1h");
    await track("add_spent_time", "-30m");
    await track("reset_time_estimate");
    await track("reset_spent_time");
    expect(await activity(held)).toEqual([
      ...["changed time estimate to 3h 30m", "added 1h of time spent", "subtracted 30m of time spent"],
      ...["removed time estimate", "removed time spent"],
    ]);
  });

  test("on both issues of a move", async () => {
    const held = await issue();
    const target = (
      await world.call("POST", "/projects", { token: rootToken, json: { name: "van-two", namespace_id: group.id } })
    ).body;
    const json = { to_project_id: target.id };
    const moved = (await world.call("POST", pathOf(held, "/move"), { token: rootToken, json })).body;
    expect(await activity(held, rootToken)).toEqual(["closed", `moved to van-two#${moved.iid}`]);
    const there = await world.call("GET", `/projects/${target.id}/issues/${moved.iid}/notes`, { token: rootToken });
    expect(there.body.map(({ body }: Json) => body)).toEqual([`moved from ${project.path}#${held.iid}`]);
    // The new project is private.
    expect(await activity(held, stranger.token)).toEqual(["closed"]);
  });
});

test("a system note is no comment: it is not counted, and nobody changes or deletes it", async () => {
  const held = await issue();
  await update(held, { title: "Brakes squeak" });
  const query = { activity_filter: "only_comments" };
  expect((await world.call("GET", pathOf(held, "/notes"), { query })).body).toEqual([]);
  const { body } = await world.call("GET", pathOf(held, "/notes"), {});
  expect(body).toEqual([
    expect.objectContaining({ system: true, author: expect.objectContaining({ id: planner.id }) }),
  ]);
  for (const method of ["PUT", "DELETE"]) {
    const json = method === "PUT" ? { json: { body: "x" } } : {};
    const answer = await world.call(method, pathOf(held, `/notes/${body[0].id}`), { token: rootToken, ...json });
    expect(answer.status).toBe(403);
  }
  expect(world.store.of(issues).get(held.id)?.user_notes_count).toBe(0);
});

describe("an issue that is named in another one", () => {
  test("says so once, when the writer may read it", async () => {
    const [named, hidden] = [await issue(), await issue({ confidential: true }, { token: planner.token })];
    const text = `see #${named.iid}, #${hidden.iid} and \`#1\``;
    const from = await issue({ description: text }, { token: stranger.token });
    await note(from, { body: `again: ${project.path}#${named.iid}` }, stranger.token);
    expect(await activity(named)).toEqual([`mentioned in issue #${from.iid}`]);
    expect(await activity(hidden)).toEqual([]);
  });

  test("does not say so to users who cannot read the other one", async () => {
    const named = await issue();
    const secret = await issue({ confidential: true, title: `like #${named.iid}` }, { token: planner.token });
    expect(await activity(named)).toEqual([`mentioned in issue #${secret.iid}`]);
    for (const token of [stranger.token, undefined]) {
      const { body, headers } = await world.call("GET", pathOf(named, "/notes"), { token });
      expect([body, headers.get("x-total")]).toEqual([[], "0"]);
    }
    const [id] = world.store.of(notes).by.naming.find(`Issue ${named.id}`);
    const hidden = await world.call("GET", pathOf(named, `/notes/${id}`), { token: stranger.token });
    expect([hidden.status, hidden.body.message]).toEqual([404, "404 Note Not Found"]);
  });

  test("says nothing of internal notes", async () => {
    const [named, from] = [await issue(), await issue()];
    await note(from, { body: `#${named.iid}`, internal: true }, planner.token);
    expect(await activity(named)).toEqual([]);
  });
});
