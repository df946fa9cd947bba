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
  const script = join(import.meta.dir, "scripts/gitbeaker-issues.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates, shows and changes issues", () => {
  expect(seen.created).toMatchObject({
    iid: 1,
    labels: ["bug", "noise"],
    assignees: [{ username: "mara" }],
    due_date: "2030-01-02",
    created_at: "2024-05-01T09:30:00.000Z",
    type: "INCIDENT",
    task_completion_status: { count: 2, completed_count: 1 },
    references: { full: "acme/Van#1" },
  });
  expect([seen.byId, seen.byIid]).toEqual([1, seen.created.id]);
  expect(seen.edited).toMatchObject({ state: "closed", labels: ["bug", "loud"], assignees: [] });
  expect([seen.taken, seen.blank]).toEqual([409, 400]);
});

test("gitbeaker lists issues with filters, page after page", () => {
  expect(seen.all).toBe(24);
  expect([seen.inGroup, seen.inProject, seen.byIids]).toEqual([[40], [40, 1], [3, 5]]);
  expect([seen.without, seen.closed, seen.anonymous]).toEqual([[40], [1], [1]]);
  expect(seen.detailed).toEqual(["bug", "loud"]);
});

test("gitbeaker tracks time, subscribes, moves and deletes", () => {
  expect(seen.estimated).toMatchObject({ time_estimate: 12_600, human_time_estimate: "3h 30m" });
  expect([seen.spent, seen.stats.total_time_spent, seen.reset]).toEqual(["1h", 3_600, [0, 0]]);
  expect([seen.participants, seen.mergeRequests]).toEqual([["root"], [[], []]]);
  expect([seen.unsubscribed, seen.subscribed]).toEqual([false, true]);
  expect(seen.moved).toMatchObject({ iid: 23, title: "Doors & windows", confidential: true });
  expect([seen.left, seen.afterRemoval]).toEqual([seen.moved.id, 404]);
});
