import { expect, test } from "bun:test";
import { join } from "node:path";
import { depth } from "../../../support/checks/depth.ts";
import { seedOfRun } from "../../../support/checks/random.ts";
import type { FuzzedPacks } from "../../../support/git/fuzz-packs.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const count = 1_000 * depth;
/** Most of it waits for the collector. */
const mebibytesMax = 384;
/** The largest make a gigabyte, a file at a time. */
const slowestMsMax = 60_000;

test(`${count} packs that are changed at random are taken or refused, in bounded memory and time`, async () => {
  await using folder = await createTempFolder();
  const program = join(import.meta.dir, "../../../support/git/fuzz-packs.ts");
  const child = Bun.spawn([process.execPath, program, folder.path, `${seedOfRun}`, `${count}`], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { taken, refused, slowestMs, peakMebibytes } = JSON.parse(stdout) as FuzzedPacks;
  // Both sides are reached, and many of the reasons.
  expect(taken).toBeGreaterThan(count / 100);
  expect(Object.keys(refused).length).toBeGreaterThan(12);
  expect(peakMebibytes).toBeLessThan(mebibytesMax);
  expect(slowestMs).toBeLessThan(slowestMsMax);
}, 600_000);
