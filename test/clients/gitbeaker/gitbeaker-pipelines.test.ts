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
  const script = join(import.meta.dir, "scripts/gitbeaker-pipelines.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker creates, changes and removes trigger tokens", () => {
  expect(seen.trigger.token).toMatch(/^glptt-\w{20}$/);
  expect(seen.triggers).toEqual(["nightly"]);
  expect([seen.edited.description, seen.shown.token]).toEqual(["weekly", seen.trigger.token]);
});

test("gitbeaker triggers a pipeline with its variables", () => {
  expect(seen.triggered).toMatchObject({ source: "trigger", ref: "main", user: { username: "root" } });
  expect(seen.variables).toMatchObject([
    { key: "A", value: "1" },
    { key: "TRIGGER_PAYLOAD", variable_type: "file" },
  ]);
});

test("gitbeaker creates, lists, cancels, retries and removes pipelines", () => {
  expect(seen.pipeline).toMatchObject({ source: "api", status: "created" });
  expect(seen.sources).toEqual(["api", "trigger", "push"]);
  expect(seen.onePipeline.id).toBe(seen.pipeline.id);
  expect([seen.canceled, seen.retried]).toEqual(["canceled", seen.pipeline.id]);
});

test("gitbeaker lists, cancels and retries jobs", () => {
  expect(seen.jobs).toEqual(["build", "ship", "test"]);
  expect([seen.job, seen.canceledJob, seen.retriedJob]).toEqual([seen.retriedJob, "canceled", seen.job]);
});

test("gitbeaker creates runners, and reads the log of a job and its user", () => {
  expect(seen.newRunner).toMatchObject({ token: expect.stringMatching(/^glrt-/) });
  expect([seen.log, seen.ended]).toEqual(["made\n", "success"]);
  expect(seen.running).toEqual([[seen.taken, "two"]]);
  expect(seen.erased).toBeString();
  const { id } = seen.newRunner;
  expect([seen.runners, seen.allRunners, seen.shownRunner, seen.editedRunner]).toEqual([
    [id],
    [id],
    ["ledger"],
    ["big"],
  ]);
});
