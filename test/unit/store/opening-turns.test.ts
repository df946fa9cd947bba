import { expect, test } from "bun:test";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { collection, type Disk, field, log, multi, ordered, record, Store, unique } from "../../../src/store/index.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";

const Thing = record({
  id: field.whole,
  name: field.text,
  rank: field.whole,
});

/** Documents of one segment: as many may be worked on before others have their turn. */
const segmentLength = 1024;
const count = 20 * segmentLength;

/** Counts what is done to documents since others had their turn, and how much that was at most. */
class Work {
  most = 0;
  #steps = 0;

  step<T>(value: T): T {
    this.#steps += 1;
    this.most = Math.max(this.most, this.#steps);
    return value;
  }

  turn(): void {
    this.#steps = 0;
  }
}

/** Collections whose indexes tell of each document that they look at. */
function collectionsOf(work: Work) {
  const things = collection("things", Thing, {
    indexes: {
      name: unique((thing) => work.step(thing.name)),
      rank: multi((thing) => work.step([thing.rank])),
      byName: ordered((thing) => work.step(thing.name)),
      byRank: ordered((thing) => work.step(thing.rank)),
    },
  });
  const happenings = log("happenings", Thing, {
    timeOf: (thing) => work.step(thing.rank),
    keysOf: (thing) => [thing.name],
    hasTimeOrder: true,
  });
  return { things, happenings };
}

async function open(disk: Disk, work: Work, turns: { taken: number }) {
  const { things, happenings } = collectionsOf(work);
  const store = await Store.open({
    folder: "/data",
    collections: [things, happenings],
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    pace: () => {
      turns.taken += 1;
      work.turn();
      return new Promise((resolve) => setImmediate(() => resolve(true)));
    },
    onDiskFailure: (error) => {
      throw error;
    },
  });
  return { store, things, happenings };
}

/** Counts each read of a file as work, too. */
function countingReads(disk: SimulatedDisk, work: Work): Disk {
  return new Proxy(disk, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "read" || name === "readPart") work.step(undefined);
        return value.apply(target, args);
      };
    },
  });
}

test.each([["segments"], ["the journal"]])(
  "while %s of many documents are opened, other work runs after each thousand",
  async (kind) => {
    const disk = new SimulatedDisk();
    const first = await open(disk, new Work(), { taken: 0 });
    for (let start = 1; start <= count; start += 256) {
      first.store.transact((tx) => {
        for (let id = start; id < start + 256; id += 1) {
          const thing = { id, name: `thing ${(id * 7919) % count}`, rank: (id * 31) % 97 };
          tx.insert(first.things, thing);
          tx.append(first.happenings, thing);
        }
      });
    }
    await first.store.settled();
    if (kind === "segments") await first.store.close();
    const work = new Work();
    const turns = { taken: 0 };
    const { store, things, happenings } = await open(countingReads(disk, work), work, turns);
    expect([store.of(things).size, store.logOf(happenings).size]).toEqual([count, count]);
    expect(turns.taken).toBeGreaterThan(60);
    expect(work.most).toBeLessThanOrEqual(2 * segmentLength);
    const names = [...store.of(things).by.byName.walk(false)].map((id) => store.of(things).get(id)?.name);
    expect(names).toEqual(names.toSorted());
    await store.close();
  },
);
