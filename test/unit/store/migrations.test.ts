import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { archiveBytes, restoreArchive } from "../../../src/archive/index.ts";
import { systemClock } from "../../../src/domain/clock.ts";
import { StartError } from "../../../src/domain/start-error.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { auditEvents } from "../../../src/modules/core/audit-events/index.ts";
import { collections } from "../../../src/modules/index.ts";
import { startApp } from "../../../src/server/app.ts";
import { Store } from "../../../src/store/index.ts";
import { configFor } from "../../support/config.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const rootToken = "format-1-root-token-0123";

/** A store that the first format wrote and that was killed: segments and a journal over them. */
async function unpackFormat1(folder: string): Promise<string> {
  const archive = new Bun.Archive(
    await Bun.file(join(import.meta.dir, "../../fixtures/stores/format-1.tar.gz")).bytes(),
  );
  await archive.extract(folder);
  return join(folder, "format-1");
}

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
  const dataFolder = await unpackFormat1(temporary.path);
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
      format: 3,
      generation: "0001",
    });
  }
  expect(existsSync(join(dataFolder, "generations/0001/logs/audit-events/000000.index.json"))).toBe(true);
  for (const part of ["documents", "logs", "journal", "blobs"]) expect(existsSync(join(dataFolder, part))).toBe(false);
});

test("a migration that was cut off between two files is finished by the next start", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackFormat1(temporary.path);
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
  const dataFolder = await unpackFormat1(temporary.path);
  const path = join(dataFolder, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await Bun.write(path, JSON.stringify({ ...manifest, format: 4 }));
  expect(openStore(dataFolder)).rejects.toThrow("its format is 4, and 3 is the last that is known here");
});

test("nothing is changed before the backup of a migration is written, and the way back is in it", async () => {
  await using temporary = await createTempFolder();
  const dataFolder = await unpackFormat1(temporary.path);
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
