import { expect, test } from "bun:test";
import type { Page, PageRequest } from "../../../../src/domain/page.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import {
  type AnyCollectionDeclaration,
  checkStore,
  field,
  log,
  type RecordOf,
  record,
  Store,
} from "../../../../src/store/index.ts";
import { createRandom, type Random } from "../../../support/checks/random.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";

const Entry = record({
  id: field.whole,
  at: field.whole,
  group: field.whole,
});
type Entry = RecordOf<typeof Entry>;

const timed = {
  timeOf: (entry: Entry) => entry.at,
  keysOf: (entry: Entry) => [`group ${entry.group}`, `kind ${entry.id % 3}`],
};
const entries = log("entries", Entry, { ...timed, hasTimeOrder: true });
const entriesByGroup = log("entries", Entry, { ...timed, keysOf: ({ group }) => [`of ${group}`], keysVersion: 2 });
const folder = "/srv/outpost/data";
const seedOfRun = Number(process.env.TEST_SEED ?? 20_261_122);

function openStore(disk: SimulatedDisk, declared: AnyCollectionDeclaration = entries): Promise<Store> {
  return Store.open({
    folder,
    collections: [declared],
    clock: { now: () => 1_700_000_000_000 },
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    journalFileBytes: 64 << 10,
    onDiskFailure() {},
  });
}

/** Times rise, but for one in eight, whose clock was wrong. */
function entryOf(id: number): Entry {
  return { id, at: id % 8 === 3 ? (id * 7919) % 9000 : id, group: id % 40 === 0 ? 0 : 1 + (id % 7) };
}

function append(store: Store, count: number): number {
  return store.transact((tx) => {
    let id = 0;
    for (let one = 0; one < count; one += 1) {
      id = tx.nextId("entries");
      tx.append(entries, entryOf(id));
    }
    return id;
  });
}

const offsetPage = (page: number, perPage = 20): PageRequest => ({ kind: "offset", page, perPage });
const idsOf = (page: Page<Entry>) => page.items.map(({ id }) => id);
const filesOf = (disk: SimulatedDisk) => disk.list(`${folder}/generations/0001/logs/entries`);
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};
const droppedFiles = (disk: SimulatedDisk, below: number) =>
  filesOf(disk).filter((name) => Number.parseInt(name, 10) < Math.floor(below / 1024));
const check = (disk: SimulatedDisk) => checkStore({ disk, folder, collections: [entries] });

/** Every way to read, held against a plain list of the entries from `below` up to `last`. */
function expectExactly(store: Store, below: number, last: number, random: Random): void {
  const documents = store.logOf(entries);
  const all: Entry[] = [];
  for (let id = below; id <= last; id += 1) all.push(entryOf(id));
  expect(documents.size).toBe(all.length);
  const anyId = random.integer(1, last + 3);
  for (const id of [0, 1, below - 1, below, last, last + 1, anyId]) {
    expect(documents.get(id)).toEqual(id >= below && id <= last ? entryOf(id) : undefined);
  }
  const from = random.fraction() < 0.5 ? undefined : random.integer(0, last + 100);
  const to = random.fraction() < 0.5 ? undefined : random.integer(0, last + 100);
  const group = random.integer(0, 7);
  const keys = [[], [`group ${group}`], [`group ${group}`, "kind 1"]][random.integer(0, 2)] ?? [];
  const fits = all.filter(
    (entry) =>
      entry.at >= (from ?? 0) &&
      entry.at <= (to ?? Number.POSITIVE_INFINITY) &&
      keys.every((key) => timed.keysOf(entry).includes(key)),
  );
  for (const descending of [false, true]) {
    const wanted = (descending ? fits.toReversed() : fits).map(({ id }) => id);
    const number = 1 + Math.floor(random.integer(0, wanted.length) / 20);
    const page = documents.page({ keys, from, to, descending, page: offsetPage(number) });
    expect([idsOf(page), page.total]).toEqual([wanted.slice((number - 1) * 20, number * 20), wanted.length]);
    const after = { key: anyId, id: anyId };
    const behind = wanted.filter((id) => (descending ? id < anyId : id > anyId));
    const keyset = { kind: "keyset", after, perPage: 20 } as const;
    expect(idsOf(documents.page({ keys, from, to, descending, page: keyset }))).toEqual(behind.slice(0, 20));
  }
  const latest = all.filter((entry) => entry.group === group).sort((a, b) => b.at - a.at || b.id - a.id);
  const found = documents.latest(`group ${group}`, offsetPage(1));
  expect([idsOf(found), found.total]).toEqual([latest.slice(0, 20).map(({ id }) => id), latest.length]);
}

test("dropped entries leave every list at once, and their segments the disk, and no id is reused", async () => {
  const disk = new SimulatedDisk();
  let store = await openStore(disk);
  append(store, 3000);
  await store.checkpoint();
  store.dropBelow(entries, 2500);
  expectExactly(store, 2500, 3000, createRandom(1));
  await store.backgroundWorkDone();
  expect(filesOf(disk)).toEqual(["000002.json"]);
  expectExactly(store, 2500, 3000, createRandom(2));
  // A mark never goes back.
  store.dropBelow(entries, 100);
  expect(store.logOf(entries).size).toBe(501);
  expect(() => store.transact((tx) => tx.append(entries, entryOf(7)))).toThrow("7 was dropped");
  store.dropBelow(entries, 3001);
  expect(store.logOf(entries).page({ keys: [], descending: true, page: offsetPage(1) })).toMatchObject({
    items: [],
    total: 0,
  });
  await store.close();
  store = await openStore(disk);
  expect(store.logOf(entries).size).toBe(0);
  expect(append(store, 1)).toBe(3001);
  expectExactly(store, 3001, 3001, createRandom(3));
  await store.close();
  expect(await check(disk)).toEqual([]);
});

test("no file is deleted before the mark is on disk", async () => {
  const disk = new SimulatedDisk();
  const store = await openStore(disk);
  append(store, 2100);
  await store.checkpoint();
  disk.holdSyncs(/journal/);
  // Two at once: a lone writer would sync at once.
  append(store, 1);
  store.dropBelow(entries, 2060);
  await turns(20);
  expect(disk.heldSyncs).toBe(1);
  expect(droppedFiles(disk, 2060)).toHaveLength(4);
  disk.releaseSyncs();
  await store.backgroundWorkDone();
  expect(droppedFiles(disk, 2060)).toEqual([]);
  await store.close();
});

test("a segment that is being written while it is dropped does not come back", async () => {
  const disk = new SimulatedDisk();
  const store = await openStore(disk);
  append(store, 1500);
  disk.holdSyncs(/logs.entries.000000/);
  const saved = store.checkpoint();
  while (disk.heldSyncs === 0) await turns(1);
  store.dropBelow(entries, 1100);
  await store.settled();
  await turns(20);
  disk.releaseSyncs();
  await Promise.all([saved, store.backgroundWorkDone()]);
  await store.checkpoint();
  expect(filesOf(disk)).toEqual(["000001.json"]);
  await store.close();
});

test("a partly dropped segment is sealed, and its keys made again, without dropped entries", async () => {
  const disk = new SimulatedDisk();
  let store = await openStore(disk);
  append(store, 1500);
  store.dropBelow(entries, 1200);
  append(store, 1000);
  await store.close();
  expect(filesOf(disk)).toContain("000001.index.json");
  store = await openStore(disk);
  expectExactly(store, 1200, 2500, createRandom(4));
  await store.close();
  store = await openStore(disk, entriesByGroup);
  const page = store.logOf(entriesByGroup).page({ keys: ["of 2"], descending: false, page: offsetPage(1, 1) });
  expect([idsOf(page), page.total]).toEqual([[1205], Math.floor((2500 - 1205) / 7) + 1 - 5]);
  await store.close();
});

test(`property: after any appends, drops, seals, kills and power losses a log equals a list (seed ${seedOfRun})`, async () => {
  for (let run = 0; run < 12; run += 1) {
    const random = createRandom(seedOfRun + run);
    let disk = new SimulatedDisk();
    let store = await openStore(disk);
    let last = 0;
    let below = 1;
    for (let step = 0; step < 14; step += 1) {
      const draw = random.fraction();
      if (draw < 0.45) last = append(store, random.integer(1, 900));
      else if (draw < 0.65) {
        below = Math.max(below, random.integer(0, last + 1));
        store.dropBelow(entries, below);
      } else if (draw < 0.8) await Promise.all([store.checkpoint(), store.backgroundWorkDone()]);
      else if (draw < 0.9) await store.backgroundWorkDone();
      else {
        await store.settled();
        disk.losePowerAt(disk.counts.total + 1);
        await store.close().catch(() => undefined);
        disk = random.fraction() < 0.5 ? disk.afterKill() : disk.afterPowerLoss(seedOfRun + step);
        store = await openStore(disk);
        if (random.fraction() < 0.5) store.startBackgroundWork();
      }
      expectExactly(store, below, last, random);
    }
    await store.close();
    expect(await check(disk)).toEqual([]);
    store = await openStore(disk);
    expectExactly(store, below, last, random);
    store.startBackgroundWork();
    await store.backgroundWorkDone();
    expect(droppedFiles(disk, below)).toEqual([]);
    await store.close();
  }
}, 600_000);

test("after a power loss at any call of a life with drops, a drop is complete or absent", async () => {
  const marks = [1, 600, 1400];
  let calls = 0;
  for (let isWhole = false; !isWhole; ) {
    calls += 1;
    const disk = new SimulatedDisk();
    let dropped = 0;
    let appended = 0;
    disk.losePowerAt(calls);
    try {
      const store = await openStore(disk);
      for (const mark of marks) {
        append(store, 700);
        await store.settled();
        appended += 700;
        const saved = store.checkpoint();
        store.dropBelow(entries, mark);
        await Promise.all([saved, store.backgroundWorkDone()]);
        await store.settled();
        dropped = mark;
      }
      await store.close();
      isWhole = !disk.isPowerLost;
    } catch (error) {
      if (!disk.isPowerLost) throw error;
    }
    for (let draw = 0; draw < 2; draw += 1) {
      const left = draw === 0 ? disk.afterKill() : disk.afterPowerLoss(seedOfRun + calls);
      const place = `power lost at call ${calls} (${disk.calls.at(-1)}), draw ${draw}`;
      const store = await openStore(left);
      const { size, droppedBelow } = store.logOf(entries);
      const last = droppedBelow + size - 1;
      if (!marks.includes(droppedBelow) || droppedBelow < dropped) throw new Error(`${place}: ${droppedBelow}`);
      if (last < appended || last % 700 !== 0) throw new Error(`${place}: the last is ${last} of ${appended}`);
      expectExactly(store, droppedBelow, last, createRandom(calls));
      store.startBackgroundWork();
      await store.backgroundWorkDone();
      await store.close();
      const problems = (await check(left)).map(({ problem }) => problem);
      if (problems.length > 0) throw new Error(`${place}: ${problems}`);
      const strays = droppedFiles(left, droppedBelow);
      if (strays.length > 0) throw new Error(`${place}: ${strays} are still there`);
    }
  }
  expect(calls).toBeGreaterThan(60);
}, 600_000);

test("a check reports no missing segment below the mark, and each above it", async () => {
  const disk = new SimulatedDisk();
  let store = await openStore(disk);
  append(store, 6000);
  await store.checkpoint();
  store.dropBelow(entries, 1100);
  await store.close();
  expect(await check(disk)).toEqual([]);
  disk.remove(`${folder}/generations/0001/logs/entries/000002.json`);
  disk.remove(`${folder}/generations/0001/logs/entries/000003.json`);
  disk.remove(`${folder}/generations/0001/logs/entries/000003.index.json`);
  const findings = await check(disk);
  expect(findings.map(({ problem }) => problem)).toEqual([
    `the store is damaged: ${folder}/generations/0001/logs/entries/000002.json is missing, with entries 2048 to 3071`,
    `the store is damaged: ${folder}/generations/0001/logs/entries/000003.json is missing, with entries 3072 to 4095`,
  ]);
  for (const { repair } of findings) await repair();
  expect(await check(disk)).toEqual([]);
  store = await openStore(disk);
  expect(store.logOf(entries).size).toBe(6000 - 1099 - 2048);
  await store.close();
});
