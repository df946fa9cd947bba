import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-labels-and-milestones.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates, shows, changes and counts labels", () => {
  expect(seen.label).toMatchObject({ name: "needs/review", color: "#663399", description: "now", priority: 2 });
  expect(seen.shown).toEqual(seen.label);
  expect(seen.edited).toEqual({ ...seen.label, name: "reviewed", priority: 3 });
  expect(seen.groupLabel).toMatchObject({ name: "urgent", color: "#ff0000", text_color: "#FFFFFF" });
  expect(seen.groupEdited.color).toBe("#0000FF");
  expect(seen.counted).toMatchObject([{ name: "reviewed", open_issues_count: 1, closed_issues_count: 0 }]);
  expect([seen.names, seen.own]).toEqual([
    ["reviewed", "urgent"],
    ["reviewed", "urgent"],
  ]);
});

test("gitbeaker promotes and deletes labels", () => {
  expect(seen.promoted).toMatchObject({ id: seen.label.id, name: "reviewed" });
  expect(seen.ofGroup).toEqual(["reviewed", "urgent"]);
  expect(seen.removed).toEqual([null, ["reviewed"]]);
  expect(seen.labelsLeft).toEqual(["reviewed"]);
});

test("gitbeaker creates, shows and changes milestones, and lists their issues", () => {
  expect(seen.milestone).toMatchObject({
    iid: 1,
    title: "1.0",
    state: "active",
    expired: true,
    due_date: "2020-01-31",
  });
  expect(seen.closed).toMatchObject({ id: seen.milestone.id, state: "closed", description: "done" });
  expect(seen.milestoneShown).toEqual(seen.closed);
  expect([seen.assigned, seen.mergeRequests]).toEqual([["Rattles"], []]);
  expect(seen.all).toEqual(["Spring", "1.0"]);
  expect(seen.byIid).toEqual(["1.0"]);
});

test("gitbeaker promotes and deletes milestones", () => {
  expect(seen.milestonePromoted).toMatchObject({ id: seen.milestone.id, group_id: expect.any(Number), iid: 2 });
  expect(seen.groupAssigned).toEqual(["Rattles"]);
  expect([seen.milestoneRemoved, seen.milestonesLeft]).toEqual([null, ["1.0"]]);
});

test.each([
  ["taken", 409, "Label already exists"],
  ["color", 400, '{"color":["must be a valid color code"]}'],
  ["nothing", 400, "color is empty"],
  ["label", 404, "404 Label Not Found"],
  ["milestone", 404, "404 Milestone Not Found"],
  ["dates", 400, 'milestone {:due_date=>["must be greater than start date"]}'],
  ["title", 400, '{:title=>["already being used for another group or project milestone."]}'],
])("gitbeaker is refused %s: %i %s", (name, status, description) => {
  expect(seen.refused[name]).toMatchObject({ status });
  expect(seen.refused[name].description).toContain(description);
});
