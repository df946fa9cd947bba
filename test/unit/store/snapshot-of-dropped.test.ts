import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { checkStore, field, log, record, Store, systemDisk } from "../../../src/store/index.ts";
import { firstGenerationOf } from "../../support/disk/generation.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const Entry = record({
  id: field.whole,
});

const entries = log("entries", Entry, { timeOf: ({ id }) => id, keysOf: ({ id }) => [`kind ${id % 3}`] });

function open(folder: string): Promise<Store> {
  return Store.open({
    folder,
    collections: [entries],
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    journalFileBytes: 16 << 10,
    onDiskFailure: (error) => {
      throw error;
    },
  });
}

test("a snapshot during a drop has all entries left at its position, and no others", async () => {
  for (let wait = 0; wait < 8; wait += 1) {
    await using folder = await createTempFolder();
    const store = await open(join(folder.path, "data"));
    store.transact((tx) => {
      for (let count = 0; count < 3000; count += 1) tx.append(entries, { id: tx.nextId("entries") });
    });
    await store.checkpoint();
    let below = 0;
    let first = 0;
    const dropped = (async () => {
      for (below = 500; below < 2900; below += 300) {
        store.dropBelow(entries, below);
        for (let turn = 0; turn < wait; turn += 1) await new Promise(setImmediate);
      }
      await store.backgroundWorkDone();
    })();
    const snapshot = await store.snapshot(() => {
      first = store.logOf(entries).droppedBelow;
    });
    const copy = join(folder.path, "copy");
    await mkdir(copy);
    await writeFile(join(copy, "manifest.json"), JSON.stringify(snapshot.manifest));
    for (const { name, path, bytes } of snapshot.files()) {
      const file = join(firstGenerationOf(copy), name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, systemDisk.read(path).subarray(0, bytes));
    }
    await snapshot.release();
    await dropped;
    await store.close();
    expect(await checkStore({ disk: systemDisk, folder: copy, collections: [entries] })).toEqual([]);
    const restored = await open(copy);
    const { droppedBelow, size } = restored.logOf(entries);
    expect([droppedBelow, size]).toEqual([first, 3001 - first]);
    for (let id = first; id <= 3000; id += 100) expect(restored.logOf(entries).get(id)).toEqual({ id });
    await restored.close();
  }
});
