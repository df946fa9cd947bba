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
  const script = join(import.meta.dir, "scripts/gitbeaker-releases.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker publishes releases, and follows the address of the latest", () => {
  expect(seen.made).toEqual(["v1", "One", 5]);
  expect(seen.taken).toEqual({ status: 409, description: "Release already exists" });
  expect([seen.listed, seen.shown, seen.edited, seen.latest]).toEqual([["One"], "The first", "The very first", "v1"]);
  expect(seen.gone.status).toBe(404);
});

test("gitbeaker changes links of releases", () => {
  expect(seen.link).toEqual(["mac", "package", "/tools/Ledger/-/releases/v1/downloads/bin/mac"]);
  expect([seen.editedLink, seen.links, seen.shownLink, seen.left]).toEqual([
    "macOS",
    ["macOS", "linux"],
    "macOS",
    ["linux"],
  ]);
});

test("gitbeaker lists the releases of a group", () => {
  expect(seen.ofGroup).toEqual(["One"]);
});
