import { expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../../src/domain/clock.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import {
  collection,
  type Disk,
  field,
  ordered,
  type RecordOf,
  record,
  Store,
  systemDisk,
} from "../../../../src/store/index.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const Door = record({
  id: field.whole,
  used_at: field.text,
});
type Door = RecordOf<typeof Door>;

const doors = collection("doors", Door, { indexes: { used_at: ordered((door) => door.used_at) } });

async function openStore(folder: string, disk: Disk = systemDisk): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog };
  return Store.open({ folder, collections: [doors], disk, onDiskFailure, ...dependencies });
}

function countingSyncs(): { disk: Disk; syncs: () => number } {
  let count = 0;
  const disk: Disk = {
    ...systemDisk,
    open(path, mode) {
      const file = systemDisk.open(path, mode);
      const sync = () => {
        if (path.includes("/journal/")) count += 1;
      };
      return {
        write: (bytes, position) => file.write(bytes, position),
        writeLater: (bytes, position) => file.writeLater(bytes, position),
        sync() {
          sync();
          file.sync();
        },
        syncLater() {
          sync();
          return file.syncLater();
        },
        close: () => file.close(),
      };
    },
  };
  return { disk, syncs: () => count };
}

test("a lazy change is visible at once, by its indexes too, and no caller waits for it", async () => {
  await using folder = await createTempFolder();
  const { disk, syncs } = countingSyncs();
  const store = await openStore(join(folder.path, "data"), disk);
  store.transact((tx) => tx.insert(doors, { id: tx.nextId("doors"), used_at: "never" }));
  await store.settled();
  const before = syncs();
  for (let i = 0; i < 100; i += 1) store.touch(doors, { id: 1, used_at: `at ${i}` });
  expect(store.of(doors).get(1)).toEqual({ id: 1, used_at: "at 99" });
  const page = { kind: "offset", page: 1, perPage: 5 } as const;
  const found = store.page(doors, {
    where: [{ index: "used_at", from: "at 99", to: "at 99" }],
    order: "used_at",
    descending: false,
    page,
  });
  expect(found.total).toBe(1);
  expect(store.settled()).toBeUndefined();
  expect(syncs()).toBe(before);
  await store.close();
});

test("a clean stop writes the last state of lazy changes", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  store.transact((tx) => tx.insert(doors, { id: tx.nextId("doors"), used_at: "never" }));
  store.touch(doors, { id: 1, used_at: "just now" });
  await store.close();
  const again = await openStore(folder.path);
  expect(again.of(doors).get(1)).toEqual({ id: 1, used_at: "just now" });
  await again.close();
});

test("a process that dies loses at most the lazy change, and a later durable change includes it", async () => {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const store = await openStore(data);
  store.transact((tx) => {
    for (let i = 0; i < 2; i += 1) tx.insert(doors, { id: tx.nextId("doors"), used_at: "never" });
  });
  store.touch(doors, { id: 1, used_at: "lazily" });
  store.touch(doors, { id: 2, used_at: "lazily" });
  store.transact((tx) => tx.update(doors, { ...(store.of(doors).get(2) as Door), used_at: "surely" }));
  await store.settled();
  await cp(data, join(folder.path, "as-it-was"), { recursive: true });
  const recovered = await openStore(join(folder.path, "as-it-was"));
  expect(recovered.of(doors).get(1)).toEqual({ id: 1, used_at: "never" });
  expect(recovered.of(doors).get(2)).toEqual({ id: 2, used_at: "surely" });
  await recovered.close();
  await store.close();
});

test("a document that is removed before its bundle stays removed", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  store.transact((tx) => tx.insert(doors, { id: tx.nextId("doors"), used_at: "never" }));
  store.touch(doors, { id: 1, used_at: "lazily" });
  store.transact((tx) => tx.remove(doors, 1));
  await store.close();
  const again = await openStore(folder.path);
  expect(again.of(doors).get(1)).toBeUndefined();
  expect(again.of(doors).size).toBe(0);
  await again.close();
});
