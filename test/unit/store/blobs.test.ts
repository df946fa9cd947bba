import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { Blobs } from "../../../src/store/blobs.ts";
import { checkStore, collection, type Disk, field, record, Store, systemDisk } from "../../../src/store/index.ts";
import { until } from "../../support/process/fault-client.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const Picture = record({
  id: field.whole,
  hash: field.text,
});

const pictures = collection("pictures", Picture, { blobsOf: (picture) => [picture.hash] });

async function openStore(folder: string): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog };
  return Store.open({ folder, collections: [pictures], onDiskFailure, ...dependencies });
}

const bytesOf = (text: string) => [new TextEncoder().encode(text)];

test("a blob is on disk under its hash, in the pieces it came in, and is kept once", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const one = await store.blobs.put([...bytesOf("out"), ...bytesOf("post")]);
  const other = await store.blobs.put(bytesOf("outpost"));
  expect(other.hash).toBe(one.hash);
  expect(one.size).toBe(7);
  expect(one.hash).toBe(new Bun.CryptoHasher("sha256").update("outpost").digest("hex"));
  expect(new TextDecoder().decode(store.blobs.read(one.hash))).toBe("outpost");
  expect(await readdir(join(folder.path, "generations/0001/blobs"))).toEqual([one.hash.slice(0, 2)]);
  await store.close();
});

test("only blobs without a document are swept, and not before their upload ends", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const named = await store.blobs.put(bytesOf("named"));
  store.transact((tx) => tx.insert(pictures, { id: tx.nextId("pictures"), hash: named.hash }));
  named.release();
  const pending = await store.blobs.put(bytesOf("pending"));
  const forgotten = await store.blobs.put(bytesOf("forgotten"));
  forgotten.release();
  store.startBackgroundWork();
  await store.backgroundWorkDone();
  expect([named, pending, forgotten].map(({ hash }) => existsSync(store.blobs.pathOf(hash)))).toEqual([
    true,
    true,
    false,
  ]);
  store.transact((tx) => tx.remove(pictures, 1));
  pending.release();
  store.startBackgroundWork();
  await store.backgroundWorkDone();
  expect([named, pending].map(({ hash }) => existsSync(store.blobs.pathOf(hash)))).toEqual([false, false]);
  await store.close();
});

test("an upload that fails leaves nothing behind", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  async function* broken() {
    yield new Uint8Array(10);
    throw new Error("the client went away");
  }
  await expect(store.blobs.put(broken())).rejects.toThrow("the client went away");
  expect(await readdir(join(folder.path, "generations/0001/blobs"))).toEqual([]);
  await store.close();
});

test("a write that fails ends an upload at once, also while the next bytes are awaited", async () => {
  await using folder = await createTempFolder();
  const disk: Disk = {
    ...systemDisk,
    open: (path, mode) => ({
      ...systemDisk.open(path, mode),
      writeLater: () => Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC" })),
    }),
  };
  const blobs = new Blobs(disk, join(folder.path, "blobs"));
  let isReleased = false;
  const more = Promise.withResolvers<void>();
  async function* chunks() {
    try {
      yield new Uint8Array(10);
      await more.promise;
    } finally {
      isReleased = true;
    }
  }
  await expect(blobs.put(chunks())).rejects.toMatchObject({ kind: "unavailable" });
  expect(await readdir(join(folder.path, "blobs"))).toEqual([]);
  more.resolve();
  await until("the source is released", () => isReleased);
});

test("bytes that changed on disk are refused, and the check names them and missing ones", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const blob = await store.blobs.put(bytesOf("true bytes"));
  const lost = "ab".repeat(32);
  store.transact((tx) => {
    tx.insert(pictures, { id: tx.nextId("pictures"), hash: blob.hash });
    tx.insert(pictures, { id: tx.nextId("pictures"), hash: lost });
  });
  await writeFile(store.blobs.pathOf(blob.hash), "false bytes");
  expect(() => store.blobs.read(blob.hash)).toThrow("its content does not match its hash");
  await store.close();
  const findings = await checkStore({ disk: systemDisk, folder: folder.path, collections: [pictures] });
  expect(findings.map((finding) => finding.problem)).toEqual([
    expect.stringContaining(`${blob.hash} at byte 0: its content does not match its hash`),
    `pictures 2 names blob ${lost}, which is not there`,
  ]);
});

test("blobs that documents let go of are swept the next time, and shared ones are not", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const shared = await store.blobs.put(bytesOf("shared"));
  const alone = await store.blobs.put(bytesOf("alone"));
  const replaced = await store.blobs.put(bytesOf("replaced"));
  store.transact((tx) => {
    for (const { hash } of [shared, shared, alone, replaced]) tx.insert(pictures, { id: tx.nextId("pictures"), hash });
  });
  for (const each of [shared, alone, replaced]) each.release();
  const lefts = () => [shared, alone, replaced].map(({ hash }) => existsSync(store.blobs.pathOf(hash)));
  expect(await store.background.sweeper.sweepUnneeded()).toBe(0);
  store.transact((tx) => {
    tx.remove(pictures, 1);
    tx.remove(pictures, 3);
    tx.update(pictures, { id: 4, hash: shared.hash });
  });
  expect(lefts()).toEqual([true, true, true]);
  const goOn = store.blobs.hold();
  const swept = store.background.sweeper.sweepUnneeded();
  await store.settled();
  expect(lefts()).toEqual([true, true, true]);
  goOn();
  expect(await swept).toBe(2);
  expect(lefts()).toEqual([true, false, false]);
  await store.close();
});

test("a blob that is named and let go of again during a sweep stays until that is durable too", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const write = async (id: number) => {
    const { hash, release } = await store.blobs.put(bytesOf("picture"));
    store.transact((tx) => tx.insert(pictures, { id, hash }));
    release();
    return hash;
  };
  const hash = await write(1);
  store.transact((tx) => tx.remove(pictures, 1));
  await store.settled();
  for (const sweep of ["sweepAll", "sweepUnneeded"] as const) {
    const free = store.blobs.hold();
    const swept = store.background.sweeper[sweep]();
    await write(2);
    await store.settled();
    // A process that died now would find the picture in the journal.
    store.transact((tx) => tx.remove(pictures, 2));
    free();
    expect(await swept).toBe(0);
    expect(existsSync(store.blobs.pathOf(hash))).toBe(true);
  }
  await store.settled();
  expect(await store.background.sweeper.sweepUnneeded()).toBe(1);
  await store.close();
});

test("a draft continues after an error, knows its hash, and is deleted when it is discarded", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const draft = store.blobs.begin();
  const cutOff = function* () {
    yield* bytesOf("out");
    throw new Error("gone");
  };
  await expect(draft.append(cutOff())).rejects.toThrow("gone");
  expect(draft.size).toBe(3);
  await draft.append(bytesOf("post"));
  expect(draft.hash).toBe(new Bun.CryptoHasher("sha256").update("outpost").digest("hex"));
  const kept = await draft.keep();
  expect([kept.size, new TextDecoder().decode(store.blobs.read(kept.hash))]).toEqual([7, "outpost"]);
  draft.discard();
  const other = store.blobs.begin();
  await other.append(bytesOf("not wanted"));
  other.discard();
  expect(await readdir(join(folder.path, "generations/0001/blobs"))).toEqual([kept.hash.slice(0, 2)]);
  await store.close();
});

test("a document of another program that names a path in place of a blob leads to no file outside of the folder", async () => {
  await using folder = await createTempFolder();
  const outside = join(folder.path, "outside.txt");
  await writeFile(outside, "a secret");
  const store = await openStore(join(folder.path, "data"));
  const path = "../../../../../outside.txt";
  const { id } = store.transact((tx) => tx.insert(pictures, { id: 1, hash: path }));
  for (const look of ["read", "verify", "pathOf"] as const) {
    expect(() => store.blobs[look](path)).toThrow(/names the blob ".*", which is no hash/);
  }
  store.transact((tx) => tx.remove(pictures, id));
  store.blobs.noteUnneeded([path, "../outside.txt"]);
  expect(
    await store.blobs.sweepUnneeded(
      () => false,
      () => undefined,
    ),
  ).toBe(0);
  expect(existsSync(outside)).toBe(true);
  await store.close();
});
