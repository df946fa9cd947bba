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
  const script = join(import.meta.dir, "scripts/gitbeaker-protected-refs.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker protects branches, with lists in the query", () => {
  expect(seen.atBirth).toEqual(["main"]);
  expect(seen.main).toEqual([[0], ["mara", "Administrator"]]);
  expect(seen.stable).toEqual(["*-stable", [40], [30], true]);
  expect([seen.shown, seen.found, seen.edited]).toEqual(["*-stable", ["*-stable"], false]);
  expect(seen.taken).toEqual({ status: 409, description: "Protected branch 'main' already exists" });
  expect(seen.left).toEqual(["main"]);
});

test("gitbeaker is refused on a branch to which nobody pushes", () => {
  expect([seen.file, seen.administrator]).toEqual([400, 400]);
});

test("gitbeaker protects tags", () => {
  expect([seen.tagRule, seen.tagRules, seen.tagShown]).toEqual([["v*", [40]], ["v*"], "v*"]);
  expect(seen.tagTaken.status).toBe(422);
  expect([seen.tag, seen.tagLater]).toEqual([400, "accepted"]);
});

test("gitbeaker deletes merged branches, and reads the changed lines of commits", () => {
  expect(seen.tidied).toBe("accepted");
  expect(seen.stats[0]).toEqual(seen.stats[1]);
  expect(seen.stats[0]).toMatchObject({ additions: expect.any(Number), deletions: 0 });
});
