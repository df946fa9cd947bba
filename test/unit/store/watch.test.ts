import { expect, test } from "bun:test";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { collection, field, record, Store, unique } from "../../../src/store/index.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";

const Door = record({
  id: field.whole,
  code: field.text,
});

const doors = collection("doors", Door, { indexes: { code: unique((door) => door.code) } });
const windows = collection("windows", Door);

function openStore(disk = new SimulatedDisk()): Promise<Store> {
  return Store.open({
    folder: "/data",
    collections: [doors, windows],
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    onDiskFailure: (error) => {
      throw error;
    },
  });
}

type Seen = [before: string | undefined, after: string | undefined];

function watched(store: Store): Seen[] {
  const seen: Seen[] = [];
  store.watch(doors, (before, after) => seen.push([before?.code, after?.code]));
  return seen;
}

test("a watcher sees every change of its collection, in order, and no other's", async () => {
  const store = await openStore();
  const seen = watched(store);
  store.transact((tx) => {
    tx.insert(doors, { id: 1, code: "a" });
    tx.insert(windows, { id: 1, code: "w" });
    tx.update(doors, { id: 1, code: "b" });
  });
  store.touch(doors, { id: 1, code: "c" });
  store.transact((tx) => tx.remove(doors, 1));
  expect(seen).toEqual([
    [undefined, "a"],
    ["a", "b"],
    ["b", "c"],
    ["c", undefined],
  ]);
  await store.close();
});

test("a transaction that is rolled back is seen backwards", async () => {
  const store = await openStore();
  store.transact((tx) => tx.insert(doors, { id: 1, code: "a" }));
  const seen = watched(store);
  const failing = () =>
    store.transact((tx) => {
      tx.update(doors, { id: 1, code: "b" });
      tx.insert(doors, { id: 2, code: "c" });
      // Refused by the index: nothing has changed, so nothing is told.
      tx.insert(doors, { id: 3, code: "c" });
    });
  expect(failing).toThrow("doors.code: c is taken");
  expect(seen).toEqual([
    ["a", "b"],
    [undefined, "c"],
    ["c", undefined],
    ["b", "a"],
  ]);
  await store.close();
});

test("documents and indexes show the change when the watcher is called", async () => {
  const store = await openStore();
  const documents = store.of(doors);
  const found: unknown[] = [];
  store.watch(doors, (_, after) => {
    if (after !== undefined) found.push([documents.get(after.id), documents.by.code.find(after.code)]);
  });
  store.transact((tx) => tx.insert(doors, { id: 7, code: "a" }));
  expect(found).toEqual([[{ id: 7, code: "a" }, 7]]);
  await store.close();
});

test("documents that a start loads are not reported", async () => {
  const disk = new SimulatedDisk();
  const store = await openStore(disk);
  store.transact((tx) => tx.insert(doors, { id: 1, code: "a" }));
  await store.close();
  const again = await openStore(disk);
  const seen = watched(again);
  expect(again.of(doors).get(1)).toEqual({ id: 1, code: "a" });
  again.transact((tx) => tx.update(doors, { id: 1, code: "b" }));
  expect(seen).toEqual([["a", "b"]]);
  await again.close();
});
