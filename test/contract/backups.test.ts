import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { archiveBytes, readArchive } from "../../src/archive/index.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { rootToken, startWorld } from "../support/world.ts";

const world = await startWorld();

function backUp(token = rootToken) {
  return fetch(`${world.origin}/-/backup`, { method: "POST", headers: { "PRIVATE-TOKEN": token } });
}

test("an administrator gets an archive of everything, as it is made", async () => {
  const { id } = await world.user();
  await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Kept", initialize_with_readme: true },
  });
  const answer = await backUp();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/gzip");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="outpost-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz"$/,
  );
  const names: string[] = [];
  const manifest = await readArchive(answer.body as ReadableStream<Uint8Array>, {
    async file(place, _size, content) {
      names.push(`${place.kind} ${place.path.replace(/[0-9a-f]{38,}/g, "HASH")}`);
      for await (const _ of content);
    },
  });
  expect(manifest.journal_position).toBe(world.store.statistics().durableSequence);
  expect(manifest.files).toBe(names.length);
  expect(names).toContain("data manifest.json");
  expect(names.some((name) => name.endsWith("HASH.git/packed-refs"))).toBe(true);
  expect(names.filter((name) => /\.git\/objects\/..\/HASH$/.test(name))).toHaveLength(3);
  expect(names.filter((name) => name.includes("credentials") || name.endsWith("lock"))).toEqual([]);
  expect(id).toBeGreaterThan(1);
});

test("whoever stops reading leaves nothing behind, and nothing waits any more", async () => {
  const answer = await backUp();
  await answer.body?.cancel();
  const { body: project } = await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Goes", initialize_with_readme: true },
  });
  const deleted = await world.call("DELETE", `/projects/${project.id}`, { token: rootToken });
  expect(deleted.status).toBe(202);
  await world.jobsDone();
  const folder = join(world.context.repositories.storageFolders.get("default") as string, "../../snapshots");
  while ((await readdir(folder)).length > 0) await new Promise(setImmediate);
});

test("nobody else gets one", async () => {
  const person = await world.user();
  expect((await backUp(person.token)).status).toBe(403);
  expect((await fetch(`${world.origin}/-/backup`, { method: "POST" })).status).toBe(401);
});

test("by the clock there is one after the other, and the oldest go once a new one is proven", async () => {
  await using folder = await createTempFolder();
  const backups = join(folder.path, "made/of/two");
  const planned = await startWorld({ backupSchedule: "30 3 * * *", backupFolder: backups, backupKeep: 2 });
  planned.clock.advance(Date.parse("2025-03-11T03:29:59Z") - planned.clock.now());
  await planned.jobsDone();
  expect(await readdir(folder.path)).toEqual([]);
  planned.clock.advance(1_000);
  await planned.jobsDone();
  expect(await readdir(backups)).toEqual(["outpost-2025-03-11T03-30-00Z.tar.gz"]);
  await writeFile(join(backups, "outpost-before-format-2.tar.gz"), "kept by hand");
  await writeFile(join(backups, "outpost-2025-03-10T03-30-00Z.tar.gz.part"), "left by a killed process");
  for (let day = 0; day < 2; day += 1) {
    planned.clock.advanceDays(1);
    await planned.jobsDone();
  }
  expect((await readdir(backups)).sort()).toEqual([
    "outpost-2025-03-12T03-30-00Z.tar.gz",
    "outpost-2025-03-13T03-30-00Z.tar.gz",
    "outpost-before-format-2.tar.gz",
  ]);
  const manifest = await readArchive(archiveBytes(join(backups, "outpost-2025-03-13T03-30-00Z.tar.gz")));
  expect(manifest.created_at).toBe("2025-03-13T03:30:00.000Z");
});

test("a backup by the clock that fails leaves the older ones, and is tried again", async () => {
  await using folder = await createTempFolder();
  const backups = join(folder.path, "backups");
  const planned = await startWorld({ backupSchedule: "30 3 * * *", backupFolder: backups, backupKeep: 1 });
  planned.clock.advance(Date.parse("2025-03-11T03:30:00Z") - planned.clock.now());
  await planned.jobsDone();
  // Something is in the way of the next one.
  await mkdir(join(backups, "outpost-2025-03-12T03-30-00Z.tar.gz/x"), { recursive: true });
  planned.clock.advanceDays(1);
  await planned.jobsDone();
  expect(await readdir(backups)).toContain("outpost-2025-03-11T03-30-00Z.tar.gz");
  expect(planned.logged.some((line) => line.startsWith("periodic work failed"))).toBe(true);
  planned.clock.advance(3_600_000);
  await planned.jobsDone();
  expect((await readdir(backups)).filter((name) => name.includes("12T04"))).toHaveLength(1);
});
