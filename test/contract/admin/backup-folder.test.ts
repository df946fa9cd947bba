import { expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../../src/archive/index.ts";
import { backUp } from "../../../src/modules/admin/backups/index.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const world = await startWorld({ backupSchedule: "30 3 * * *", backupKeep: 3 });
const ann = await world.user();
const { folder } = world.context.backups;
const shown = async (): Promise<Json> => (await world.get("/-/backups")).body;
const change = (method: string, path: string) => world.call(method, path, { token: rootToken });

async function make(): Promise<string> {
  expect((await change("POST", "/-/backups")).status).toBe(202);
  await until("the backup is written", async () => (await shown()).running === null);
  return (await shown()).archives[0]?.name;
}

test("a folder that is not there yet has no archive, and says when there will be one", async () => {
  expect(await shown()).toEqual({
    ...{ folder, schedule: "30 3 * * *", keep: 3 },
    ...{ running: null, last_error: null, archives: [] },
  });
});

test("an administrator makes an archive, verifies, downloads and deletes it", async () => {
  const name = await make();
  expect(name).toBe("outpost-2025-03-10T09-30-00Z.tar.gz");
  const verified = await change("POST", `/-/backups/${name}/verify`);
  expect([verified.body.name, verified.body.created_at]).toEqual([name, world.clock.time()]);
  const sent = await fetch(`${world.origin}/-/backups/${name}`, { headers: { "PRIVATE-TOKEN": rootToken } });
  expect(sent.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
  const manifest = await readArchive(sent.body as ReadableStream<Uint8Array>);
  expect(manifest.files).toBe(verified.body.files);
  expect((await change("DELETE", `/-/backups/${name}`)).status).toBe(204);
  expect([(await shown()).archives, await readdir(folder)]).toEqual([[], []]);
});

test("the one that is being made shows its progress, and another one is refused", async () => {
  const pieces = backUp(world.context, new AbortController().signal);
  await pieces.next();
  expect((await change("POST", "/-/backups")).status).toBe(409);
  for await (const _ of pieces);
  expect((await change("POST", "/-/backups")).status).toBe(202);
  expect((await shown()).running).toMatchObject({
    name: expect.stringMatching(/^outpost-/),
    done_bytes: expect.any(Number),
  });
  expect((await change("POST", "/-/backups")).status).toBe(409);
  await until("the backup is written", async () => (await shown()).running === null);
});

test("a damaged archive is 422 with the damage", async () => {
  await writeFile(join(folder, "damaged.tar.gz"), "no archive");
  const { status, body } = await change("POST", "/-/backups/damaged.tar.gz/verify");
  expect([status, body.message]).toEqual([422, expect.stringContaining("no backup of Outpost")]);
});

test("names that are no archive of the folder are 404", async () => {
  await writeFile(join(folder, "notes.txt"), "mine");
  await writeFile(join(folder, "half.tar.gz.part"), "half");
  await writeFile(join(folder, "../outside.tar.gz"), "outside");
  for (const name of ["notes.txt", "half.tar.gz.part", "..%2Foutside.tar.gz", "missing.tar.gz", ".tar.gz"]) {
    expect([name, (await change("DELETE", `/-/backups/${name}`)).status]).toEqual([name, 404]);
    expect([name, (await change("GET", `/-/backups/${name}`)).status]).toEqual([name, 404]);
  }
  const listed = (await shown()).archives.map(({ name }: Json) => name);
  expect(listed.filter((name: string) => !/^(outpost-.*|damaged)\.tar\.gz$/.test(name))).toEqual([]);
});

test("an archive that cannot be written says why", async () => {
  await using other = await createTempFolder();
  await writeFile(join(other.path, "taken"), "a file");
  const broken = await startWorld({ backupFolder: join(other.path, "taken/backups") });
  await broken.call("POST", "/-/backups", { token: rootToken });
  const state = async () => (await broken.get("/-/backups")).body;
  await until("it is given up", async () => (await state()).last_error !== null);
  expect(await state()).toMatchObject({ running: null, archives: [], last_error: expect.stringContaining("ENOTDIR") });
});

test("other callers may do nothing of it", async () => {
  for (const [method, path] of [
    ["GET", "/-/backups"],
    ["POST", "/-/backups"],
    ["DELETE", "/-/backups/damaged.tar.gz"],
  ] as const) {
    expect((await world.call(method, path, { token: ann.token })).status).toBe(403);
    expect((await world.call(method, path)).status).toBe(401);
  }
});
