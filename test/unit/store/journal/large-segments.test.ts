import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../../../src/lib/log.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { type Disk, Store, systemDisk } from "../../../../src/store/index.ts";
import type { TransactionLog } from "../../../../src/store/journal/journal.ts";
import { Checkpointer } from "../../../../src/store/segments/checkpointer.ts";
import { Segment } from "../../../../src/store/segments/segment.ts";
import type { StoredCollection } from "../../../../src/store/stored-collection.ts";
import { until } from "../../../support/process/fault-client.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { type Note, notes, sampleCollections } from "../sample-store.ts";

const mebibyte = 1 << 20;
/** Together beyond what is read and written in one piece. */
const many = 70;
const textOf = (id: number) => `${id} ä🙂`.padEnd(mebibyte, String.fromCharCode(97 + (id % 26)));

/** The real disk, and how many bytes each write of a file of documents had. */
function watchedDisk(writes: number[]): Disk {
  return {
    ...systemDisk,
    open(path, mode) {
      const file = systemDisk.open(path, mode);
      if (!path.includes("/documents/")) return file;
      return {
        ...file,
        writeLater(bytes, position) {
          writes.push(bytes.byteLength);
          return file.writeLater(bytes, position);
        },
      };
    },
  };
}

const open = (folder: string, disk: Disk) =>
  Store.open({
    folder,
    collections: sampleCollections,
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    disk,
    onDiskFailure: (error) => {
      throw error;
    },
  });

test("a segment of long texts is written and read in pieces, and damage in it is noticed", async () => {
  await using folder = await createTempFolder();
  const writes: number[] = [];
  const store = await open(folder.path, watchedDisk(writes));
  for (let id = 1; id <= many; id += 1) store.transact((tx) => tx.insert(notes, { id, author: 1, text: textOf(id) }));
  await store.settled();
  await store.checkpoint();
  await store.close();
  expect(writes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(many * mebibyte);
  expect(Math.max(...writes)).toBeLessThan(3 * mebibyte);

  const wholeReads: string[] = [];
  const disk: Disk = {
    ...systemDisk,
    read(path) {
      if (path.includes("/documents/notes/")) wholeReads.push(path);
      return systemDisk.read(path);
    },
  };
  const reopened = await open(folder.path, disk);
  expect(wholeReads).toEqual([]);
  const documents = reopened.of(notes);
  expect(documents.size).toBe(many);
  for (let id = 1; id <= many; id += 1) {
    expect((documents.get(id) as Note).text === textOf(id)).toBe(true);
  }
  await reopened.close();

  const path = join(folder.path, "generations/0001/documents/notes/000000.json");
  const bytes = await readFile(path);
  bytes[bytes.byteLength >> 1] = (bytes[bytes.byteLength >> 1] as number) ^ 1;
  await writeFile(path, bytes);
  await expect(open(folder.path, systemDisk)).rejects.toThrow(/checksum/);
});

/** A collection with one dirty segment. */
function collectionOf(name: string, save: (segment: Segment) => Promise<void>): StoredCollection {
  const segment = new Segment(name, 0);
  segment.markDirty(1);
  return { name, segments: () => [segment], save } as unknown as StoredCollection;
}

test("a segment that cannot be written blocks no other, and reports the reason", async () => {
  const warnings: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => void warnings.push(fields) };
  const saved: string[] = [];
  let isMended = false;
  const failing = collectionOf("failing", async (segment) => {
    if (!isMended) throw new RangeError("the disk says no");
    segment.dirtySince = undefined;
    saved.push("failing");
  });
  const fine = collectionOf("fine", async (segment) => {
    segment.dirtySince = undefined;
    saved.push("fine");
  });
  // A journal that is nearly full lets a round begin at once.
  const journal = { lastSequence: 1, bytes: 33 * mebibyte, releaseBefore: () => {} } as unknown as TransactionLog;
  const checkpointer = new Checkpointer(() => [failing, fine], journal, log);
  checkpointer.start();
  await until("the other segment is written", () => saved.includes("fine"));
  expect(checkpointer.metrics()).toMatchObject({ dirtySegments: 1, failingSegments: 1 });
  expect(warnings).toEqual([
    { collection: "failing", segment: 0, error: "RangeError: the disk says no", retry_ms: 5_000 },
  ]);
  isMended = true;
  await checkpointer.writeAll();
  expect(saved).toEqual(["fine", "failing"]);
  expect(checkpointer.metrics()).toMatchObject({ dirtySegments: 0, failingSegments: 0 });
  await checkpointer.stop();
});
