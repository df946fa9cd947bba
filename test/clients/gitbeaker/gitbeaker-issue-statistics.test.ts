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
  const script = join(import.meta.dir, "scripts/gitbeaker-issue-statistics.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

const counts = (closed: number, opened: number) => ({ all: closed + opened, closed, opened });

test("gitbeaker counts on the instance, in a group and in a project", () => {
  expect([seen.everywhere, seen.assigned, seen.group, seen.project]).toEqual([
    counts(1, 2),
    counts(0, 0),
    counts(1, 2),
    counts(1, 2),
  ]);
});

test.each([
  ["labels", 0, 1],
  ["iids", 1, 1],
  ["confidential", 0, 1],
  ["assignee", 0, 1],
  ["username", 0, 1],
  ["weight", 0, 1],
  ["search", 0, 1],
  ["everySearch", 1, 1],
  ["not", 1, 1],
  ["before", 0, 0],
])("%s: filters are understood as gitbeaker sends them", (name, closed, opened) => {
  expect(seen[name]).toEqual(counts(closed, opened));
});

test("gitbeaker reports the refusal", () => {
  expect(seen.unknown).toEqual([404, "404 Project Not Found"]);
  expect(seen.exclusive).toEqual([400, "author_id, author_username are mutually exclusive"]);
  expect(seen.anonymous).toEqual([401, "401 Unauthorized"]);
});
