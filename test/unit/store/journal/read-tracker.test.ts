import { describe, expect, test } from "bun:test";
import type { Store } from "../../../../src/store/index.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { notes, openSample, people, personOf } from "../sample-store.ts";

const person = (id: number) => personOf({ kind: "put", id, team: 1 });

/** A store with one person and one note on disk; from then on nothing gets there. */
async function openHeld(watch: (store: Store) => void = () => {}) {
  const disk = new SimulatedDisk();
  const store = await openSample(disk, { journalFileBytes: 1 << 20 });
  watch(store);
  store.transact((tx) => {
    tx.insert(people, person(1));
    tx.insert(notes, { id: 1, author: 1, text: "a" });
  });
  await store.settled();
  disk.holdSyncs();
  return { disk, store };
}

/** Whether who reads so has to wait. */
function waits(store: Store, read: () => unknown): boolean {
  store.beginRead();
  read();
  return store.readSettled() !== undefined;
}

const waysToLook: readonly (readonly [string, (store: Store) => unknown])[] = [
  ["by id", (store) => store.of(people).get(1)],
  ["by id, and finds nothing", (store) => store.of(people).get(7)],
  ["by an index", (store) => store.of(people).by.team.find(1)],
  ["by an order", (store) => [...store.of(people).by.byId.walk(false)]],
  ["at the number of documents", (store) => store.of(people).size],
  [
    "at a page",
    (store) =>
      store.page(people, {
        where: [],
        order: "byId",
        descending: false,
        page: { kind: "offset", page: 1, perPage: 5 },
      }),
  ],
  ["at the ids of a condition", (store) => store.ids(people, [{ index: "team", key: 1 }])],
  ["at a count", (store) => store.count(people, [{ index: "team", key: 1 }])],
];

describe("after a change that is not on disk yet, a reader", () => {
  test.each(waysToLook)("of %s waits, but not for a change of another collection", async (_, look) => {
    const { disk, store } = await openHeld();
    store.transact((tx) => tx.update(notes, { id: 1, author: 1, text: "b" }));
    expect(waits(store, () => look(store))).toBe(false);
    expect(waits(store, () => store.of(notes).get(1))).toBe(true);
    store.transact((tx) => tx.insert(people, person(2)));
    expect(waits(store, () => look(store))).toBe(true);
    disk.releaseSyncs();
    await store.settled();
    expect(waits(store, () => look(store))).toBe(false);
    await store.close();
  });

  test("of nothing waits for its own change", async () => {
    const { disk, store } = await openHeld();
    expect(waits(store, () => store.transact((tx) => tx.remove(people, 1)))).toBe(true);
    disk.releaseSyncs();
    await store.close();
  });

  test("of anything waits for a change that other readers may depend on", async () => {
    const { disk, store } = await openHeld((opened) => opened.watch(people, () => {}));
    store.transact((tx) => tx.insert(people, person(2)));
    expect(waits(store, () => store.of(notes).get(1))).toBe(true);
    disk.releaseSyncs();
    await store.close();
  });

  test("of anything waits for a change before another reader saw such a one", async () => {
    const { disk, store } = await openHeld();
    store.transact((tx) => tx.insert(people, person(2)));
    store.watch(people, () => {});
    expect(waits(store, () => store.of(notes).get(1))).toBe(true);
    disk.releaseSyncs();
    await store.close();
  });
});
