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
  const script = join(import.meta.dir, "scripts/gitbeaker-packages.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker publishes files and downloads them", () => {
  expect(seen.published).toEqual({ message: "201 Created" });
  expect(seen.downloaded).toBe("second");
});

test("gitbeaker lists, shows and removes packages and their files", () => {
  expect(seen.all).toEqual(["1.1.0", "1.0.0"]);
  expect(seen.shown).toMatchObject({ name: "app", version: "1.0.0", package_type: "generic", pipelines: [] });
  expect(seen.files).toMatchObject([{ file_name: "app.bin", size: 5 }]);
  expect([seen.filesLeft, seen.left, seen.ofGroup]).toEqual([[], ["1.1.0"], []]);
});

test("gitbeaker lists image repositories and tags, and removes them", () => {
  expect(seen.repositories).toMatchObject([{ name: "app", path: "root/ledger/app", tags_count: 2 }]);
  expect(seen.repository.tags).toHaveLength(2);
  expect(seen.tags).toEqual(["v1", "v2"]);
  expect(seen.tag).toMatchObject({ name: "v1", path: "root/ledger/app:v1" });
  expect(seen.tagsLeft).toEqual(["v2"]);
  expect([seen.tagsRemoved, seen.tagsKept]).toEqual([{ message: "202 Accepted" }, ["v2", "w1", "w3"]]);
  expect(seen.repositoryRemoved).toEqual({ message: "202 Accepted" });
});
