import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";
import { runOnTerminal } from "../../support/process/terminal.ts";

const token = "a-token-for-tests-0123456789";
const bar = /\[#*-*\] /;

let folder: TempFolder;
let data: string;

/** The parts of the work that a bar on a terminal has named, in their order. */
async function partsOnTerminal(...args: readonly string[]): Promise<string[]> {
  const shown = await runOnTerminal([...args, "--data", data], { NO_COLOR: "1", OUTPOST_TOKEN: token });
  const parts = [...shown.matchAll(/\[#*-*\] ([a-z ]+): \d+ %/g)].map(([, part]) => part ?? "");
  return parts.filter((part, at) => part !== parts[at - 1]);
}

beforeAll(async () => {
  folder = await createTempFolder();
  data = join(folder.path, "data");
  const env = { OUTPOST_ROOT_TOKEN: token };
  expect((await runOutpost(["seed", "--scale", "60", "--data", data], { env })).exitCode).toBe(0);
}, 120_000);
afterAll(() => folder.remove());

test("check and export show a bar for each part that takes long", async () => {
  const parts = await partsOnTerminal("check");
  // A quick machine has checked the files before a bar is due.
  const possible = ["checking files", "reading the store", "building indexes", "checking blobs"];
  expect(possible.filter((part) => parts.includes(part))).toEqual(parts);
  expect(parts).toContain("reading the store");
  expect(await partsOnTerminal("export", join(folder.path, "exported"))).toContain("reading the store");
});

test("a backup has a total: of a stopped store, and of one that a server has", async () => {
  expect(await partsOnTerminal("backup", "-o", join(folder.path, "stopped.tar.gz"))).toContain("backing up");
  await using _ = await startOutpost({ dataFolder: data });
  expect(await partsOnTerminal("backup", "-o", join(folder.path, "running.tar.gz"))).toContain("backing up");
});

test("without a terminal there is no bar but a line now and then, and stdout has the result alone", async () => {
  const { exitCode, stdout, stderr } = await runOutpost(["check", "--data", data]);
  expect([exitCode, stdout]).toEqual([0, `${data} is sound\n`]);
  // A slow machine may take the five seconds of a line.
  expect(stderr).toMatch(/^([a-z ]+: \d+ %, .+\n)*$/);
  expect(stderr).not.toContain("\r");
});

test("the start of a small store shows no bar", async () => {
  const small = join(folder.path, "small");
  expect((await runOutpost(["seed", "--data", small])).exitCode).toBe(0);
  expect(await runOnTerminal(["user", "list", "--data", small], { NO_COLOR: "1" })).not.toMatch(bar);
});
