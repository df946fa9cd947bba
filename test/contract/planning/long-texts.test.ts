import { describe, expect, test } from "bun:test";
import { issues } from "../../../src/modules/planning/issues/records.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addIssues } from "../../support/planning/issues.ts";
import { makeProject } from "../ci/triggers-and-pipelines/setting.ts";

const world = await startWorld();
const token = rootToken;
const long = "long ".repeat(200_000);
/** Together more than one request may write. */
const many = 40;

describe("with forty issues of a million characters each", () => {
  test("a label is deleted at once, and removed from all of them", async () => {
    const { id } = await makeProject(world);
    const { body } = await world.call("POST", `/projects/${id}/labels`, { token, json: { name: "L", color: "red" } });
    addIssuesOf(id, { label_ids: [body.id] });
    expect((await world.call("DELETE", `/projects/${id}/labels/L`, { token })).status).toBe(204);
    expect((await world.get(`/projects/${id}/issues`, { query: { labels: "L" } })).body).toEqual([]);
    await world.jobsDone();
    expect(world.store.of(issues).by.label_id.find(body.id).size).toBe(0);
  });

  test("a milestone is deleted at once, and removed from all of them", async () => {
    const { id } = await makeProject(world);
    const { body } = await world.call("POST", `/projects/${id}/milestones`, { token, json: { title: "M" } });
    addIssuesOf(id, { milestone_id: body.id });
    expect((await world.call("DELETE", `/projects/${id}/milestones/${body.id}`, { token })).status).toBe(204);
    await world.jobsDone();
    expect(world.store.of(issues).by.milestone_id.find(body.id).size).toBe(0);
  });

  test("a member is removed and unassigned from all of them", async () => {
    const { id } = await makeProject(world);
    const user = await world.user();
    const json = { user_id: user.id, access_level: 30 };
    await world.call("POST", `/projects/${id}/members`, { token, json });
    addIssuesOf(id, { assignee_ids: [user.id] });
    const path = `/projects/${id}/members/${user.id}?unassign_issuables=true`;
    expect((await world.call("DELETE", path, { token })).status).toBe(204);
    await world.jobsDone();
    expect(world.store.of(issues).by.assignee_id.find(user.id).size).toBe(0);
  });

  test("their author is deleted", async () => {
    const { id } = await makeProject(world);
    const user = await world.user();
    addIssuesOf(id, { author_id: user.id });
    expect((await world.call("DELETE", `/users/${user.id}`, { token })).status).toBe(204);
    expect(world.store.of(issues).by.author_id.find(user.id).size).toBe(0);
  });
});

/** Two at a time, as one transaction has its limit. */
function addIssuesOf(projectId: number, attributes: Parameters<typeof addIssues>[2][number]): void {
  for (let at = 0; at < many; at += 2) {
    addIssues(
      world,
      projectId,
      Array.from({ length: 2 }, () => ({ title: "long", description: long, ...attributes })),
    );
  }
}
