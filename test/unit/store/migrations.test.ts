import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { archiveBytes, backUpBeforeMigration, restoreArchive } from "../../../src/archive/index.ts";
import { systemClock } from "../../../src/domain/clock.ts";
import { StartError } from "../../../src/domain/start-error.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { digestOf } from "../../../src/lib/token-digest.ts";
import { initialSetup } from "../../../src/modules/accounts/initial-setup/records.ts";
import { features } from "../../../src/modules/admin/feature-flags/records.ts";
import { runnerRegistrationTokens } from "../../../src/modules/ci/runners/records.ts";
import { auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { jobs } from "../../../src/modules/core/background-jobs/records.ts";
import { groups } from "../../../src/modules/groups-and-projects/groups/records.ts";
import { formerPaths } from "../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { collections } from "../../../src/modules/index.ts";
import { dueMailProgress } from "../../../src/modules/notifications/issue-mails/records.ts";
import { issues } from "../../../src/modules/planning/issues/records.ts";
import { pendingUnlinks } from "../../../src/modules/planning/pending-unlinks/records.ts";
import { containerBlobs, containerManifests } from "../../../src/modules/registries/container-registry/records.ts";
import { startApp } from "../../../src/server/app.ts";
import { checkStore, Store, type StoredDocument, sequences, systemDisk } from "../../../src/store/index.ts";
import { oldCollections } from "../../../src/store/migrations/004-renamed-names.ts";
import { differenceFrom, documentsOfStore } from "../../support/disk/kept-store.ts";
import { unpackOldStore } from "../../support/disk/old-store.ts";
import { configFor } from "../../support/fixtures/config.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "format-1-root-token-0123";
/** The token that registers runners of the instance, in the store of format 3. */
const registrationToken = "GR1348941i_5Uehk9sRmTdX1CwHZ4Km";

function openStore(folder: string): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  return Store.open({
    folder,
    collections,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure,
  });
}

test("a store of the first format opens with everything in it, and stays in the new one", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(1, temporary.path);
  for (const round of ["migrating", "migrated"]) {
    const config = configFor(dataFolder, { rootToken: undefined, rootPassword: undefined });
    const app = await startApp(config, silentLog);
    const headers = { "PRIVATE-TOKEN": rootToken };
    const users = (await (await fetch(`${app.origin}/api/v4/users?per_page=100`, { headers })).json()) as {
      username: string;
    }[];
    expect({ round, usernames: users.map((user) => user.username) }).toEqual({
      round,
      usernames: ["zoe", "piotr", "lena", "aiko", "tomas", "ines", "jonas", "mara", "root"],
    });
    const tokens = await fetch(`${app.origin}/api/v4/personal_access_tokens?revoked=true`, { headers });
    expect(tokens.headers.get("x-total")).toBe("620");
    const events = app.context.store.logOf(auditEvents);
    expect(events.size).toBe(1250);
    expect(events.get(1)).toMatchObject({ event_name: "user_created", details: { target_details: "Administrator" } });
    expect(events.get(1250)).toMatchObject({
      event_name: "personal_access_token_revoked",
      details: { target_id: 621 },
    });
    expect(
      events.page({ keys: ["User 9"], descending: true, page: { kind: "offset", page: 1, perPage: 1 } }).total,
    ).toBe(155);
    await app.stop();
    expect(JSON.parse(await readFile(join(dataFolder, "manifest.json"), "utf8"))).toMatchObject({
      format: 4,
      generation: "0001",
    });
  }
  expect(existsSync(join(dataFolder, "generations/0001/logs/audit-events/000000.index.json"))).toBe(true);
  for (const part of ["documents", "logs", "journal", "blobs"]) expect(existsSync(join(dataFolder, part))).toBe(false);
});

test("a migration that was interrupted between two files is finished by the next start", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(1, temporary.path);
  const { mkdir, rename } = await import("node:fs/promises");
  await mkdir(join(dataFolder, "logs/audit-events"), { recursive: true });
  await rename(
    join(dataFolder, "documents/audit-events/000001.json"),
    join(dataFolder, "logs/audit-events/000001.json"),
  );
  const store = await openStore(dataFolder);
  expect(store.logOf(auditEvents).size).toBe(1250);
  await store.close();
});

test("a store of a newer format is refused, with the format named", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(1, temporary.path);
  const path = join(dataFolder, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await Bun.write(path, JSON.stringify({ ...manifest, format: 5 }));
  expect(openStore(dataFolder)).rejects.toThrow("its format is 5, and 4 is the last that is known here");
});

test("nothing changes before the backup of a migration is written, and it can be restored", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(1, temporary.path);
  const inTheWay = join(temporary.path, "file");
  await writeFile(inTheWay, "");
  const without = configFor(dataFolder, { backupFolder: join(inTheWay, "backups") });
  const refusal = await startApp(without, silentLog).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(StartError);
  expect((refusal as StartError).message).toStartWith(
    `${dataFolder} has the older format 1, and the backup before its migration cannot be written: ENOTDIR`,
  );
  expect((refusal as StartError).hintFor("serve")).toBe(
    `outpost migrate --backup-folder DIR, with a folder on another disk; or free some space in ${without.backupFolder}`,
  );
  expect(JSON.parse(await readFile(join(dataFolder, "manifest.json"), "utf8")).format).toBe(1);

  const config = configFor(dataFolder);
  const app = await startApp(config, silentLog);
  await app.stop();
  const [name = "", ...others] = await readdir(config.backupFolder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^outpost-[0-9a-f]{8}-format-1-transaction-\d+\.tar\.gz$/);
  const back = configFor(join(temporary.path, "back"));
  const { store_format } = await restoreArchive(archiveBytes(join(config.backupFolder, name)), back);
  expect(store_format).toBe(1);
  const again = await startApp(back, silentLog);
  expect(again.context.store.logOf(auditEvents).size).toBe(1250);
  await again.stop();
});

test("a store of format 3 opens with everything in it, under the names of format 4", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(3, temporary.path);
  const log = await readdir(join(dataFolder, "generations/0001/logs/audit-events"));
  const store = await openStore(dataFolder);
  expect(await readdir(join(dataFolder, "generations/0001/logs/audit-events"))).toEqual(log);
  expect(JSON.parse(await readFile(join(dataFolder, "manifest.json"), "utf8"))).toMatchObject({ format: 4 });
  expect(all(store.of(pendingUnlinks))).toEqual([
    { id: 1, type: "label", deleted_id: 1, into_id: null },
    { id: 2, type: "label", deleted_id: 2, into_id: 3 },
  ]);
  expect(all(store.of(jobs)).map(({ kind, state, payload }) => ({ kind, state, payload }))).toEqual([
    { kind: "pending_unlink", state: "queued", payload: { pending_unlink_id: 1 } },
    { kind: "epic_deletion", state: "queued", payload: { epic_id: 1 } },
    { kind: "pending_unlink", state: "queued", payload: { pending_unlink_id: 2 } },
    { kind: "visibility_lowering", state: "queued", payload: { group_id: 2 } },
  ]);
  expect(store.of(initialSetup).get(1)).toEqual({ id: 1, root_user_id: 1, is_root_password_set: true });
  expect(store.of(dueMailProgress).get(1)).toEqual({ id: 1, due_date: "2026-11-23", last_issue_id: 2 });
  expect(store.of(runnerRegistrationTokens).get(1)?.digest).toBe(digestOf(registrationToken));
  expect(all(store.of(features)).map(({ name, boolean }) => [name, boolean])).toEqual([
    ["list_response_cache", false],
    ["request_log", false],
    ["token_usage_tracking", false],
  ]);
  expect(all(store.of(formerPaths))).toEqual([
    { id: 1, path_key: "3/station", target_type: "project", target_id: 1 },
    { id: 2, path_key: "0/weather", target_type: "namespace", target_id: 2 },
  ]);
  expect(all(store.of(containerBlobs)).map((blob) => blob.reference_count)).toEqual([1, 1]);
  expect(all(store.of(containerManifests)).map((manifest) => manifest.reference_count)).toEqual([1]);
  const last = Object.fromEntries(all(store.of(sequences)).map((sequence) => [sequence.name, sequence.last]));
  expect(last).toMatchObject({ pending_unlinks: 2, background_jobs: 4, labels: 3, features: 3 });
  expect(Object.keys(last)).not.toContain("departures");
  const events = store.logOf(auditEvents);
  expect([events.droppedBelow, events.get(59), events.get(60)?.id, events.get(1024)?.id]).toEqual([
    60,
    undefined,
    60,
    1024,
  ]);
  await store.close();
  expect(await checkStore({ disk: systemDisk, folder: dataFolder, collections })).toEqual([]);
  const documents = await readdir(join(dataFolder, "generations/0001/documents"));
  expect(documents.filter((name) => oldCollections.has(name))).toEqual([]);
});

test("the jobs that waited in a store of format 3 run after its migration", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(3, temporary.path);
  const app = await startApp(configFor(dataFolder, { rootToken: undefined, rootPassword: undefined }), silentLog);
  await app.scheduler.idle();
  const { store } = app.context;
  expect([store.of(jobs).size, store.of(pendingUnlinks).size]).toEqual([0, 0]);
  expect(all(store.of(issues)).map(({ label_ids }) => label_ids)).toEqual([[3], [3]]);
  expect([store.of(groups).get(3)?.visibility, store.of(projects).get(1)?.visibility]).toEqual(["private", "private"]);
  const headers = { "PRIVATE-TOKEN": "format-3-root-token-0123" };
  const moved = await fetch(`${app.origin}/api/v4/projects/weather%2Fsensors%2Fstation`, { headers });
  expect([moved.redirected, ((await moved.json()) as { path: string }).path]).toEqual([true, "outpost"]);
  await app.stop();
});

test("what a migration from format 3 left when it was cut off is thrown away by the next start", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(3, temporary.path);
  const leftover = join(dataFolder, "generations/0001/documents/background-jobs");
  await mkdir(leftover);
  await writeFile(join(leftover, "000001.json"), "of a job that an older version finished since then");
  const store = await openStore(dataFolder);
  expect(store.of(jobs).size).toBe(4);
  await store.close();
  expect(await readdir(leftover)).toEqual(["000000.json"]);
});

test("a journal of format 3 that is damaged is refused, and stays as it is", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(3, temporary.path);
  const path = join(dataFolder, "generations/0001/journal/00000010.log");
  const bytes = await readFile(path);
  bytes[bytes.indexOf("departures")] = 0x44;
  await writeFile(path, bytes);
  await expect(openStore(dataFolder)).rejects.toThrow("is damaged");
  expect((await readFile(path)).equals(bytes)).toBe(true);
  expect(JSON.parse(await readFile(join(dataFolder, "manifest.json"), "utf8")).format).toBe(3);
});

test("a backup of format 3 is restored, and its migration is that of the store", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackOldStore(3, temporary.path);
  const config = configFor(dataFolder);
  const file = await backUpBeforeMigration(config, config.backupFolder, "2026-11-22T22:00:00.000Z");
  const back = configFor(join(temporary.path, "back"));
  expect((await restoreArchive(archiveBytes(file), back)).store_format).toBe(3);
  const [migrated, restored] = [await openStore(dataFolder), await openStore(back.dataFolder)];
  expect(differenceFrom(documentsOfStore(migrated), restored)).toBeUndefined();
  expect(restored.of(pendingUnlinks).size).toBe(2);
  await Promise.all([migrated.close(), restored.close()]);
});

function all<T extends StoredDocument>(documents: { readonly size: number; get(id: number): T | undefined }): T[] {
  const found: T[] = [];
  for (let id = 1; found.length < documents.size; id += 1)
    found.push(...[documents.get(id)].filter((each) => each !== undefined));
  return found;
}
