import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { archiveBytes, readArchive } from "../../../src/archive/index.ts";
import { diskPathOf } from "../../../src/git/index.ts";
import { backUp, whenFree } from "../../../src/modules/admin/backups/index.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { mountTmpfs, whyNoMounts } from "../../support/process/mounts.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const world = await startWorld();
const noMounts = await whyNoMounts();

function askFor(token = rootToken, origin = world.origin) {
  return fetch(`${origin}/-/backup`, { method: "POST", headers: { "PRIVATE-TOKEN": token } });
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

test("an administrator downloads an archive of everything while it is made", async () => {
  await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Kept", initialize_with_readme: true },
  });
  const before = world.store.statistics().durableSequence;
  const answer = await askFor();
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
  expect(manifest.journal_position).toBeGreaterThanOrEqual(before);
  // Changes made during the backup may be in it, too.
  expect(manifest.journal_position).toBeLessThanOrEqual(world.store.statistics().durableSequence);
  expect(manifest.files).toBe(names.length);
  expect(names).toContain("data manifest.json");
  expect(names.some((name) => name.endsWith("HASH.git/packed-refs"))).toBe(true);
  expect(names.filter((name) => /\.git\/objects\/..\/HASH$/.test(name))).toHaveLength(3);
  expect(names.filter((name) => name.includes("credentials") || name.endsWith("lock"))).toEqual([]);
});

test("a client that stops reading leaves no files, and nothing waits", async () => {
  const answer = await askFor();
  await answer.body?.cancel();
  const { body: project } = await world.call("POST", "/projects", {
    token: rootToken,
    json: { name: "Goes", initialize_with_readme: true },
  });
  const deleted = await world.call("DELETE", `/projects/${project.id}`, { token: rootToken });
  expect(deleted.status).toBe(202);
  await world.jobsDone();
  const folder = join(
    world.context.repositories.storageFolders.get("default") as string,
    "../../generations/0001/snapshots",
  );
  while ((await readdir(folder)).length > 0) await new Promise(setImmediate);
});

test("a thing that is deleted meanwhile is in the backup and deleted afterwards; one that is created meanwhile is not in it", async () => {
  const storage = world.context.repositories.storageFolders.get("default") as string;
  const create = async (name: string) => {
    const json = { name, initialize_with_readme: true };
    const { body } = await world.call("POST", "/projects", { token: rootToken, json });
    return { id: body.id as number, path: `${diskPathOf({ kind: "project", id: body.id })}.git` };
  };
  const doomed = await create("Doomed");
  // Comes before the others, and is too large to be on its way at once.
  const large = join(storage, `@hashed/00/00/${"0".repeat(64)}.git/objects/pack`);
  await mkdir(large, { recursive: true });
  const bytes = Buffer.alloc(6 << 20);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await writeFile(join(large, "pack-1.pack"), bytes);
  const pieces = backUp(world.context, new AbortController().signal);
  const all: Uint8Array[] = [(await pieces.next()).value as Uint8Array];
  expect((await world.call("DELETE", `/projects/${doomed.id}`, { token: rootToken })).status).toBe(202);
  const newcomer = await create("Newcomer");
  for await (const piece of pieces) all.push(piece);
  const repositories = new Set<string>();
  await readArchive(inPieces(all), {
    async file(place, _size, content) {
      if (place.kind === "repository") repositories.add(place.path.slice(0, place.path.indexOf(".git/") + 4));
      for await (const _ of content);
    },
  });
  expect([...repositories]).toContain(doomed.path);
  expect([...repositories]).not.toContain(newcomer.path);
  await world.jobsDone();
  expect(existsSync(join(storage, doomed.path))).toBe(false);
  expect(existsSync(join(storage, newcomer.path))).toBe(true);
});

test("a default branch that is replaced and deleted meanwhile is still in the backup", async () => {
  const json = { name: "Renamed", initialize_with_readme: true };
  const { body: project } = await world.call("POST", "/projects", { token: rootToken, json });
  const path = `${diskPathOf({ kind: "project", id: project.id })}.git`;
  const branches = `/projects/${project.id}/repository/branches`;
  const head = (await world.call("GET", `${branches}/main`, { token: rootToken })).body.commit.id as string;
  const pieces = backUp(world.context, new AbortController().signal);
  const all: Uint8Array[] = [(await pieces.next()).value as Uint8Array];
  const did = [
    await world.call("POST", `${branches}?branch=dev&ref=main`, { token: rootToken }),
    await world.call("PUT", `/projects/${project.id}`, { token: rootToken, json: { default_branch: "dev" } }),
    await world.call("DELETE", `${branches}/main`, { token: rootToken }),
    await world.call("POST", `${branches}?branch=main/new&ref=dev`, { token: rootToken }),
  ];
  expect(did.map(({ status }) => status)).toEqual([201, 200, 204, 201]);
  for await (const piece of pieces) all.push(piece);
  let refs = "";
  await readArchive(inPieces(all), {
    async file(place, _size, content) {
      const bytes: Uint8Array[] = [];
      for await (const piece of content) bytes.push(piece);
      if (place.path === `${path}/packed-refs`) refs = Buffer.concat(bytes).toString();
    },
  });
  expect(refs).toBe(`${head} refs/heads/dev\n${head} refs/heads/main\n`);
  expect((await world.call("GET", `${branches}/main`, { token: rootToken })).status).toBe(404);
});

test("other callers get none", async () => {
  const person = await world.user();
  expect((await askFor(person.token)).status).toBe(403);
  expect((await fetch(`${world.origin}/-/backup`, { method: "POST" })).status).toBe(401);
});

test("scheduled backups follow each other, and the oldest are deleted once a new one is verified", async () => {
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

test("during a backup another one is refused, and a scheduled one waits for it", async () => {
  await using folder = await createTempFolder();
  const backups = join(folder.path, "backups");
  const planned = await startWorld({ backupSchedule: "30 3 * * *", backupFolder: backups });
  const pieces = backUp(planned.context, new AbortController().signal);
  await pieces.next();
  const refused = await askFor(rootToken, planned.origin);
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { message: "409 Conflict - another backup is on its way" },
  ]);
  planned.clock.advance(Date.parse("2025-03-11T03:30:00Z") - planned.clock.now());
  const waits = "the backup by the clock waits for another one";
  while (!planned.logged.some((line) => line.startsWith(waits))) await new Promise(setImmediate);
  expect(await readdir(backups)).toEqual([]);
  for await (const _ of pieces);
  await planned.jobsDone();
  expect(await readdir(backups)).toEqual(["outpost-2025-03-11T03-30-00Z.tar.gz"]);
  expect(planned.logged.filter((line) => line.startsWith("periodic work failed"))).toEqual([]);
});

test("a backup that starts while another one tidies up runs alone, too", async () => {
  const { signal } = new AbortController();
  const all = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const _ of pieces);
  };
  const first = all(backUp(world.context, signal));
  await whenFree(world.context, signal, () => undefined);
  const second = backUp(world.context, signal);
  await Promise.all([second.next(), first]);
  expect((await askFor()).status).toBe(409);
  await all(second);
  expect((await askFor()).status).toBe(200);
});

test.skipIf(noMounts !== undefined)(
  "a scheduled backup without disk space leaves no partial file, and keeps the older ones",
  async () => {
    await using disk = await mountTmpfs(1);
    const planned = await startWorld({ backupSchedule: "30 3 * * *", backupFolder: disk.path, backupKeep: 1 });
    planned.clock.advance(Date.parse("2025-03-11T03:30:00Z") - planned.clock.now());
    await planned.jobsDone();
    const older = ["outpost-2025-03-11T03-30-00Z.tar.gz"];
    expect(await readdir(disk.path)).toEqual(older);
    await writeFile(join(disk.path, "filler"), Buffer.alloc(2 << 20)).catch(() => undefined);
    planned.clock.advanceDays(1);
    await planned.jobsDone();
    expect(planned.logged.findLast((line) => line.startsWith("periodic work failed"))).toContain("ENOSPC");
    expect((await readdir(disk.path)).sort()).toEqual(["filler", ...older]);
    expect((await askFor(rootToken, planned.origin)).status).toBe(200);
    await rm(join(disk.path, "filler"));
    planned.clock.advance(3_600_000);
    await planned.jobsDone();
    expect(await readdir(disk.path)).toEqual([expect.stringMatching(/^outpost-2025-03-12T04/)]);
  },
);

test("a scheduled backup that fails keeps the older ones, and is tried again", async () => {
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

test("the answer says about how many bytes the archive has once it is decompressed", async () => {
  const answer = await askFor();
  const told = Number(answer.headers.get("x-uncompressed-size"));
  const real = gunzipSync(await answer.bytes()).byteLength;
  // It leaves out the lists and the manifest of the archive itself.
  expect(told).toBeGreaterThan(real * 0.8);
  expect(told).toBeLessThan(real * 1.2);
});
