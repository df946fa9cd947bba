import { expect, test } from "bun:test";
import type { Store } from "../../../../src/store/index.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { openSample, partsFolder, people } from "../sample-store.ts";
import { Ledger } from "./ledger.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const roomy = { journalFileBytes: 1 << 20 };

async function turns(count = 3): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise(setImmediate);
}

/** Whether `settled` is over, as of now. */
function watch(store: Store): { isOver: boolean } {
  const watched = { isOver: false };
  void Promise.resolve(store.settled()).then(() => {
    watched.isOver = true;
  });
  return watched;
}

test("transactions that arrive together share one sync", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, roomy);
  const before = disk.counts.sync;
  await Promise.all(Array.from({ length: 64 }, (_, n) => ledger.commit(store, [{ kind: "put", id: n + 1, team: n }])));
  expect(disk.counts.sync - before).toBe(1);
  expect(ledger.acknowledged).toBe(64);
  await store.close();
});

test("transactions that arrive during a sync share the next one", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, roomy);
  const before = disk.counts.sync;
  disk.holdSyncs();
  const first = ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  await turns();
  const others = Array.from({ length: 30 }, (_, n) => ledger.commit(store, [{ kind: "put", id: n + 2, team: n }]));
  await turns();
  expect(disk.counts.sync - before).toBe(1);
  disk.releaseSyncs();
  await Promise.all([first, ...others]);
  expect(disk.counts.sync - before).toBe(2);
  await store.close();
});

test("transactions one after the other have a sync each", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, roomy);
  const before = disk.counts.sync;
  for (let id = 1; id <= 20; id += 1) await ledger.commit(store, [{ kind: "put", id, team: id }]);
  expect(disk.counts.sync - before).toBe(20);
  await store.close();
});

test("a write is not settled before its own sync, not even when the one before it is done", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, roomy);
  disk.holdSyncs();
  ledger.change(store, [{ kind: "put", id: 1, team: 1 }]);
  const first = watch(store);
  await turns();
  // Two, since a lone one may be synced on the spot.
  ledger.change(store, [{ kind: "put", id: 2, team: 2 }]);
  ledger.change(store, [{ kind: "put", id: 3, team: 2 }]);
  const second = watch(store);
  await turns();
  expect([first.isOver, second.isOver]).toEqual([false, false]);
  disk.releaseSyncs({ thenHold: true });
  await turns();
  // The folder of the first file is synced after the file.
  expect([first.isOver, second.isOver]).toEqual([false, false]);
  disk.releaseSyncs({ thenHold: true });
  await turns();
  expect([first.isOver, second.isOver]).toEqual([true, false]);
  disk.releaseSyncs();
  await turns();
  expect([first.isOver, second.isOver]).toEqual([true, true]);
  await store.close();
});

test("a read that saw a write waits for it, and an earlier one does not", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, roomy);
  await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  expect(store.settled()).toBeUndefined();
  disk.holdSyncs();
  // Two at once, since a lone one may be synced on the spot.
  ledger.change(store, [{ kind: "put", id: 1, team: 2 }]);
  ledger.change(store, [{ kind: "put", id: 2, team: 2 }]);
  expect(store.of(people).get(1)?.team).toBe(2);
  const read = watch(store);
  await turns();
  expect(read.isOver).toBe(false);
  expect(store.settled()).toBeDefined();
  disk.releaseSyncs();
  await turns();
  expect(read.isOver).toBe(true);
  expect(store.settled()).toBeUndefined();
  await store.close();
});

test(`in any order of arrival, no transaction is acknowledged that is not on the disk (seed ${seed})`, async () => {
  for (let round = 0; round < 60; round += 1) {
    const random = createRandom(seed + round);
    const disk = new SimulatedDisk();
    const ledger = new Ledger();
    const store = await openSample(disk, { journalFileBytes: 1 << 16 });
    const path = `${partsFolder}/journal/00000001.log`;
    let told = 0;
    const checkOnDisk = (number: number) => {
      told += 1;
      // The note of the counter stands in the line of its transaction.
      if (Buffer.from(disk.syncedContent(path)).includes(`"transactions":${number}}`)) return;
      throw new Error(`round ${round}: transaction ${number} was acknowledged and is not on the disk`);
    };
    const hops = async () => {
      for (let n = random.integer(0, 6); n > 0; n -= 1) await Promise.resolve();
    };
    const writer = async (id: number) => {
      for (let n = 0; n < 6; n += 1) {
        ledger.change(store, [{ kind: "put", id, team: n }]);
        const number = ledger.states.length - 1;
        await hops();
        // Also what others wrote meanwhile is seen from here on.
        await store.settled();
        checkOnDisk(number);
        await hops();
      }
    };
    const reader = async () => {
      for (let n = 0; n < 12; n += 1) {
        await hops();
        const number = ledger.states.length - 1;
        await store.settled();
        if (number > 0) checkOnDisk(number);
        if (random.integer(0, 3) === 0) await turns(1);
      }
    };
    await Promise.all([writer(1), writer(2), writer(3), writer(4), reader(), reader()]);
    expect(told).toBeGreaterThan(24);
    await store.close();
  }
});
