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
  const script = join(import.meta.dir, "scripts/gitbeaker-runners.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 60_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates runners, and registers them with the tokens in the answers", () => {
  expect(seen.made.token).toMatch(/^glrt-/);
  for (const { token } of [seen.registered, seen.ofAll]) expect(token).toMatch(/^\w{20}$/);
});

test("gitbeaker lists runners of all scopes, with filters", () => {
  expect(seen.lists).toEqual({
    all: ["all", "registered", "made"],
    owned: ["made"],
    project: ["registered", "made"],
    group: ["all"],
  });
});

test("gitbeaker changes, assigns and removes runners", () => {
  expect(seen.edited).toMatchObject({ paused: true, active: false, tag_list: ["z"], maximum_timeout: 900 });
  expect([seen.enabled.id, seen.shown, seen.disabled]).toEqual([seen.made.id, ["Ledger", "Bills"], null]);
  expect([seen.jobs, seen.verified.id, seen.left]).toEqual([[], seen.made.id, ["all"]]);
});
