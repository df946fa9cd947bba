import { describe, expect, test } from "bun:test";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  createUser,
  knownCredentials,
  listUsers,
  postUser,
  rootHeaders,
  until,
  Writers,
} from "../../../support/process/fault-client.ts";
import { mountTmpfs, whyNoMounts } from "../../../support/process/mounts.ts";
import { executable, runOutpost, startOutpost } from "../../../support/process/outpost-process.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const whyNot = await whyNoMounts();
const diskMib = 24;
/** Taken by others, and given back later. */
const fillerMib = 7;
const longTexts = Object.fromEntries(
  ["location", "organization", "note", "skype", "linkedin", "twitter"].map((name) => [name, name.padEnd(250, "x")]),
);

async function health(origin: string, name: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${origin}/-/${name}`);
  return { status: answer.status, body: await answer.json() };
}

/** Writes zeros until there is no space at all, not one byte; returns how many it took. */
async function fill(path: string, bytesMax = Number.POSITIVE_INFINITY): Promise<number> {
  const file = await open(path, "a");
  let taken = 0;
  try {
    while (taken < bytesMax)
      taken += (await file.write(Buffer.alloc(Math.min(64 << 10, bytesMax - taken)))).bytesWritten;
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
  return taken;
}

/** One after the other; returns the names of the users that were made. */
async function writeUntilRefused(origin: string, prefix: string): Promise<string[]> {
  const writers = new Writers(origin, prefix, { writers: 1, attributes: longTexts });
  await writers.done;
  expect([...writers.refusals]).toEqual([503]);
  return [...writers.acknowledged.values()];
}

async function namesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => !name.endsWith("/lock")).sort();
}

async function expectReadOnly(origin: string, known: readonly string[]): Promise<void> {
  const refused = await postUser(origin, "refused", longTexts);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({ message: "503 Service Unavailable" });
  expect([...(await listUsers(origin)).values()].sort()).toEqual([...known].sort());
  expect(await health(origin, "liveness")).toMatchObject({ status: 200 });
  const told = await fetch(`${origin}/-/readiness`, { headers: rootHeaders });
  expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await told.json()).toMatchObject({
    reasons: ["no space for writes"],
    checks: { disk: { status: "failed", free_bytes: expect.any(Number) }, journal: { status: "ok" } },
  });
  for (const name of ["readiness", "health"]) {
    const { status, body } = await health(origin, name);
    expect(status).toBe(503);
    expect(body).toEqual({
      message: "503 Service Unavailable - no space for writes",
      reasons: ["no space for writes"],
    });
  }
}

describe.skipIf(whyNot !== undefined)(`on a disk of ${diskMib} MiB that gets full`, () => {
  test("writes are refused, reads continue, a kill loses nothing, and writes succeed again with free space", async () => {
    await using disk = await mountTmpfs(diskMib);
    const dataFolder = join(disk.path, "data");
    const filler = join(disk.path, "filler");
    await fill(filler, fillerMib << 20);
    await using outpost = await startOutpost({ env: knownCredentials, dataFolder, args: ["--log-level", "warn"] });
    const writers = new Writers(outpost.origin, "u", { attributes: longTexts });
    await writers.done;
    expect([...writers.refusals]).toEqual([503]);
    expect(writers.acknowledged.size).toBeGreaterThan(500);
    // A smaller write may still find room in the journal; what the store holds back from others must not be left either.
    await fill(join(disk.path, "last"));
    const known = [...writers.acknowledged.values()];
    known.push(...(await writeUntilRefused(outpost.origin, "more")));
    await expectReadOnly(outpost.origin, known);
    await outpost.kill();

    await using again = await startOutpost({ dataFolder, args: ["--log-level", "warn"] });
    expect(writers.missingFrom(await listUsers(again.origin))).toEqual([]);
    await fill(join(disk.path, "last"));
    known.push(...(await writeUntilRefused(again.origin, "again")));
    await expectReadOnly(again.origin, known);

    await rm(filler);
    await rm(join(disk.path, "last"));
    await until("ready again", async () => (await health(again.origin, "readiness")).status === 200);
    for (let turn = 0; turn < 50; turn += 1) {
      known.push((await createUser(again.origin, `after${turn}`, longTexts)).username);
    }
    expect(await again.stop()).toMatchObject({ exitCode: 0 });
    await using last = await startOutpost({ dataFolder });
    const users = await listUsers(last.origin);
    expect(writers.missingFrom(users)).toEqual([]);
    expect([...users.values()].sort()).toEqual(known.sort());
  }, 180_000);

  test("a stop on the full disk loses nothing and succeeds", async () => {
    await using disk = await mountTmpfs(diskMib);
    const dataFolder = join(disk.path, "data");
    await fill(join(disk.path, "filler"), fillerMib << 20);
    await using outpost = await startOutpost({ env: knownCredentials, dataFolder, args: ["--log-level", "warn"] });
    const writers = new Writers(outpost.origin, "u", { attributes: longTexts });
    await writers.done;
    await fill(join(disk.path, "last"));
    const { exitCode, stderr } = await outpost.stop();
    expect(stderr).not.toContain("    at ");
    expect(exitCode).toBe(0);
    await using again = await startOutpost({ dataFolder });
    expect(writers.missingFrom(await listUsers(again.origin))).toEqual([]);
  }, 180_000);

  test("a command without space prints one sentence and a hint, and leaves nothing partial", async () => {
    await using elsewhere = await createTempFolder();
    await using disk = await mountTmpfs(2);
    const [data, exported, archive] = ["data", "exported", "a.tar.gz"].map((name) => join(elsewhere.path, name)) as [
      ...[string, string, string],
    ];
    await using first = await startOutpost({ env: knownCredentials, dataFolder: data });
    for (let turn = 0; turn < 20; turn += 1) await createUser(first.origin, `u${turn}`, longTexts);
    await first.stop();
    expect((await runOutpost(["backup", "--data", data, "-o", archive])).exitCode).toBe(0);
    expect((await runOutpost(["export", exported, "--data", data])).exitCode).toBe(0);
    const held = join(disk.path, "held");
    expect((await runOutpost(["restore", archive, "--data", held])).exitCode).toBe(0);
    await fill(join(disk.path, "filler"));
    const before = await namesBelow(disk.path);
    const at = (name: string) => join(disk.path, name);
    for (const args of [
      ["backup", "--data", data, "-o", at("b.tar.gz")],
      ["backup", "--data", held, "-o", at("c.tar.gz")],
      ["restore", archive, "--data", at("restored")],
      ["export", at("exported"), "--data", data],
      ["import", exported, "--data", at("imported"), "--log-level", "silent"],
      ["user", "create", "--data", held, "--username", "late", "--email", "late@example.test"],
    ]) {
      const { exitCode, stdout, stderr } = await runOutpost(args);
      expect([args[0], exitCode, stdout]).toEqual([args[0], 1, ""]);
      expect(stderr).toMatch(/^outpost: .*(ENOSPC|no space left).*\ntry: outpost .*\n$/);
      expect(await namesBelow(disk.path)).toEqual(before);
    }
    const child = Bun.spawn(["sh", "-c", '"$0" openapi > /dev/full', executable], { stderr: "pipe" });
    expect(await child.stderr.text()).toMatch(
      /^outpost: stdout cannot be written: ENOSPC.*\ntry: outpost openapi > FILE, on /,
    );
    expect(await child.exited).toBe(1);
    expect((await runOutpost(["check", "--data", held])).exitCode).toBe(0);
  }, 60_000);

  test("a first start on it prints one sentence and a hint, and succeeds once there is space", async () => {
    await using disk = await mountTmpfs(4);
    const dataFolder = join(disk.path, "data");
    for (const free of [0, 4 << 10, 12 << 10, 64 << 10, 512 << 10]) {
      const filler = join(disk.path, "filler");
      const reserve = join(disk.path, "reserve");
      await fill(reserve, free);
      await fill(filler);
      await rm(reserve);
      const started = startOutpost({ env: knownCredentials, dataFolder });
      const said = await started.then(() => "it started", String);
      expect(said).toMatch(/did not get ready:\noutpost: .*(ENOSPC|space|full).*\ntry: /i);
      expect(said).not.toContain("    at ");
      await rm(filler);
    }
    await using outpost = await startOutpost({ env: knownCredentials, dataFolder });
    await createUser(outpost.origin, "first");
  }, 180_000);
});
