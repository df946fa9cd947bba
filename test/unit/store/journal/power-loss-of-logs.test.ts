import { expect, test } from "bun:test";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import {
  type AnyCollectionDeclaration,
  collection,
  field,
  log,
  type RecordOf,
  record,
  Store,
} from "../../../../src/store/index.ts";
import { stepOf } from "../../../support/checks/depth.ts";
import { seedOfRun } from "../../../support/checks/random.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";

const Entry = record({
  id: field.whole,
  text: field.text,
});

const Picture = record({
  id: field.whole,
  hash: field.text,
});
type Picture = RecordOf<typeof Picture>;

const entries = log("entries", Entry, { timeOf: (entry) => entry.id, keysOf: (entry) => [`kind ${entry.id % 3}`] });
const pictures = collection("pictures", Picture, { blobsOf: (picture) => [picture.hash] });
const folder = "/srv/outpost/data";

function openStore(disk: SimulatedDisk, own: readonly AnyCollectionDeclaration[]): Promise<Store> {
  return Store.open({
    folder,
    collections: own,
    clock: { now: () => 1_700_000_000_000 },
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    journalFileBytes: 64 << 10,
    onDiskFailure() {},
  });
}

/** A kill or a loss of power at one of these leaves the same disk as at the call before. */
const readsOnly = /^(list|read|close) /;
/** These change what a loss of power leaves, but not what a kill leaves. */
const makesLasting = /^sync/;

/** Kills at one in `step` calls of `live`, other ones in each run, loses the power there as well, and hands each disk that may be left to `check`. */
async function atCalls(
  { draws, step }: { readonly draws: number; readonly step: number },
  begin: () => Promise<SimulatedDisk> | SimulatedDisk,
  live: (disk: SimulatedDisk) => Promise<void>,
  check: (disk: SimulatedDisk, place: string) => Promise<void>,
): Promise<number> {
  for (let call = 1 + (seedOfRun % step); ; call += step) {
    const disk = await begin();
    disk.losePowerAt(call);
    try {
      await live(disk);
    } catch (error) {
      if (!disk.isPowerLost) throw error;
    }
    if (!disk.isPowerLost) return call;
    const last = disk.calls.at(-1) ?? "";
    if (readsOnly.test(last)) continue;
    if (!makesLasting.test(last)) await check(disk.afterKill(), `killed at call ${call} (${last})`);
    for (let draw = 0; draw < draws; draw += 1) {
      const seed = seedOfRun + call * 100 + draw;
      await check(disk.afterPowerLoss(seed), `power lost at call ${call} (${last}), seed ${seed}`);
    }
  }
}

test("after a power loss while a log is written and sealed, every acknowledged entry is readable, and none follows a gap", async () => {
  let acknowledged = 0;
  const textOf = (id: number) => `entry ${id}`;
  const append = async (store: Store, count: number) => {
    store.transact((tx) => {
      for (let i = 0; i < count; i += 1) {
        const id = tx.nextId("entries");
        tx.append(entries, { id, text: textOf(id) });
      }
    });
    await store.settled();
    acknowledged += count;
  };
  const calls = await atCalls(
    { draws: 4, step: stepOf(2) },
    () => {
      acknowledged = 0;
      return new SimulatedDisk();
    },
    async (disk) => {
      const store = await openStore(disk, [entries]);
      await append(store, 700);
      await store.checkpoint();
      await append(store, 400);
      await store.checkpoint();
      await append(store, 3);
      await store.close();
    },
    async (disk, place) => {
      const store = await openStore(disk, [entries]);
      const documents = store.logOf(entries);
      if (documents.size < acknowledged) throw new Error(`${place}: ${documents.size} of ${acknowledged} entries`);
      for (let id = 1; id <= documents.size; id += 1) {
        if (documents.get(id)?.text !== textOf(id)) throw new Error(`${place}: entry ${id} is wrong`);
      }
      const page = { kind: "offset", page: 1, perPage: 1 } as const;
      const third = documents.page({ keys: ["kind 1"], descending: false, page }).total;
      expect(third).toBe(Math.ceil(documents.size / 3));
      await store.close();
    },
  );
  expect(calls).toBeGreaterThan(40);
}, 600_000);

test("after a power loss while blobs are written, every existing document has its bytes", async () => {
  let acknowledged = 0;
  const calls = await atCalls(
    { draws: 8, step: stepOf(2) },
    () => {
      acknowledged = 0;
      return new SimulatedDisk();
    },
    async (disk) => {
      const store = await openStore(disk, [pictures]);
      await Promise.all(
        ["one", "two", "three", "one"].map(async (text) => {
          const blob = await store.blobs.put([new TextEncoder().encode(text)]);
          store.transact((tx) => tx.insert(pictures, { id: tx.nextId("pictures"), hash: blob.hash }));
          blob.release();
          await store.settled();
          acknowledged += 1;
        }),
      );
      await store.close();
    },
    async (disk, place) => {
      const store = await openStore(disk, [pictures]);
      const documents = store.of(pictures);
      if (documents.size < acknowledged) throw new Error(`${place}: ${documents.size} of ${acknowledged} pictures`);
      for (let id = 1; id <= documents.size; id += 1) {
        const { hash } = documents.get(id) as Picture;
        try {
          store.blobs.read(hash);
        } catch (error) {
          throw new Error(`${place}: picture ${id}: ${error}`);
        }
      }
      await store.close();
    },
  );
  expect(calls).toBeGreaterThan(20);
}, 600_000);
