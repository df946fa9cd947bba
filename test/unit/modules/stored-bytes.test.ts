import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const folder = join(import.meta.dir, "../../../src/modules");

/** Files with a call, by their paths. */
async function callersOf(call: RegExp): Promise<string[]> {
  const found: string[] = [];
  for await (const file of new Glob("**/*.ts").scan(folder)) {
    if (call.test(await Bun.file(join(folder, file)).text())) found.push(file);
  }
  return found.sort();
}

test("blobs are written by the quotas, which ask for room", async () => {
  expect(await callersOf(/\bblobs\s*\.put\(/)).toEqual([
    // Puts the pieces of a log together, which are counted already.
    "ci/job-logs/service.ts",
    "kernel/storage-quotas.ts",
  ]);
});

test("every collection whose documents name blobs counts their bytes, or the statistics of the project do", async () => {
  const inStatistics = [
    "ci/job-artifacts/records.ts",
    "groups-and-projects/uploads/records.ts",
    "registries/container-registry/records.ts",
    "registries/packages/records.ts",
  ];
  const counted = await callersOf(/\bstorage: sum\(/);
  const naming = await callersOf(/\bblobsOf: /);
  expect(naming.filter((file) => !counted.includes(file))).toEqual(inStatistics);
});

test("refs are switched in one place, which asks for room", async () => {
  expect(await callersOf(/\bwriter\.update\(/)).toEqual(["repositories/repositories/ref-switch.ts"]);
});
