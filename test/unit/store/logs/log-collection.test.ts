import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { systemClock } from "../../../../src/domain/clock.ts";
import type { PageRequest } from "../../../../src/domain/page.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import {
  checkStore,
  type Disk,
  field,
  type LogQuery,
  log,
  type RecordOf,
  record,
  Store,
  systemDisk,
} from "../../../../src/store/index.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const Entry = record({
  id: field.whole,
  at: field.whole,
  author: field.whole,
  entity: field.text,
  text: field.text,
});
type Entry = RecordOf<typeof Entry>;

const entries = log("entries", Entry, {
  timeOf: (entry) => entry.at,
  keysOf: (entry) => [`author ${entry.author}`, entry.entity],
});

async function openStore(folder: string, disk: Disk = systemDisk, declared = entries): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog };
  return Store.open({ folder, collections: [declared], disk, onDiskFailure, ...dependencies });
}

function append(store: Store, count: number, make: (id: number) => Omit<Entry, "id">): Entry[] {
  return store.transact((tx) =>
    Array.from({ length: count }, () => {
      const id = tx.nextId("entries");
      return tx.append(entries, { id, ...make(id) });
    }),
  );
}

const plain = (id: number): Omit<Entry, "id"> => ({
  at: 1_700_000_000_000 + id * 1000,
  author: id % 7,
  entity: `Project ${id % 50}`,
  text: `entry ${id} with "quotes", commas, and ünïcode\n`,
});

const first20: PageRequest = { kind: "offset", page: 1, perPage: 20 };

test("full segments are sealed, and every document still reads as it was written", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const written = append(store, 2500, plain);
  await store.checkpoint();
  expect(existsSync(join(folder.path, "generations/0001/logs/entries/000000.index.json"))).toBe(true);
  expect(existsSync(join(folder.path, "generations/0001/logs/entries/000001.index.json"))).toBe(true);
  expect(existsSync(join(folder.path, "generations/0001/logs/entries/000002.index.json"))).toBe(false);
  const documents = store.logOf(entries);
  for (const entry of written) expect(documents.get(entry.id)).toEqual(entry);
  expect(documents.get(2501)).toBeUndefined();
  await store.close();
});

test("ids may come in any order and be left out: a segment is sealed once all its ids are decided", async () => {
  await using folder = await createTempFolder();
  const ids = Array.from({ length: 2047 }, (_, index) => 2047 - index).filter((id) => id !== 17);
  const write = async (some: readonly number[]) => {
    const store = await openStore(folder.path);
    store.transact((tx) => some.map((id) => tx.append(entries, { id, ...plain(id) })));
    await store.checkpoint();
    await store.close();
  };
  const isSealed = (number: number) =>
    existsSync(join(folder.path, `generations/0001/logs/entries/00000${number}.index.json`));
  await write(ids.slice(0, 500));
  expect([isSealed(0), isSealed(1)]).toEqual([false, false]);
  await write(ids.slice(500));
  expect([isSealed(0), isSealed(1)]).toEqual([false, true]);
  const store = await openStore(folder.path);
  const documents = store.logOf(entries);
  expect(documents.size).toBe(2046);
  expect(documents.get(17)).toBeUndefined();
  for (const id of ids) expect(documents.get(id)).toEqual({ id, ...plain(id) });
  const { items } = documents.page({ keys: ["author 3"], descending: false, page: first20 });
  expect(items.map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => 3 + 7 * index + (index > 1 ? 7 : 0)),
  );
  await store.close();
  await write([17]);
  expect(isSealed(0)).toBe(true);
  const options = { disk: systemDisk, folder: folder.path, collections: [entries] };
  expect(await checkStore(options)).toEqual([]);
});

test("a start reads the side indexes and no sealed document", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  append(store, 3000, plain);
  await store.close();
  const read: string[] = [];
  const parts: { path: string; length: number }[] = [];
  const watching: Disk = {
    ...systemDisk,
    read(path) {
      read.push(path);
      return systemDisk.read(path);
    },
    readPart(path, offset, length, into) {
      parts.push({ path, length });
      return systemDisk.readPart(path, offset, length, into);
    },
  };
  const again = await openStore(folder.path, watching);
  const sealed = ["000000.json", "000001.json"].map((name) => join(folder.path, "generations/0001/logs/entries", name));
  expect(read.filter((path) => sealed.includes(path))).toEqual([]);
  const ofSealed = parts.filter(({ path }) => sealed.includes(path)).map(({ length }) => length);
  expect(ofSealed).toHaveLength(sealed.length);
  expect(Math.max(...ofSealed)).toBeLessThan(100);
  parts.length = 0;
  const page = again.logOf(entries).page({ keys: ["Project 3"], descending: true, page: first20 });
  expect(page.items).toHaveLength(20);
  expect(page.total).toBe(60);
  // Entries in the open segment are not read at all.
  expect(parts.length).toBeLessThanOrEqual(20);
  expect(parts.length).toBeGreaterThan(0);
  await again.close();
});

test("a written entry can be neither changed nor removed", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const [entry] = append(store, 1, plain) as [Entry];
  expect(() => store.transact((tx) => tx.append(entries, entry))).toThrow("exists");
  append(store, 1500, plain);
  await store.checkpoint();
  expect(() => store.transact((tx) => tx.append(entries, { ...entry, text: "other" }))).toThrow();
  expect(store.logOf(entries).get(1)).toEqual(entry);
  await store.close();
});

test("a transaction that fails leaves no entry and no trace in the index", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  append(store, 3, plain);
  const failing = () =>
    store.transact((tx) => {
      tx.append(entries, { id: tx.nextId("entries"), ...plain(4) });
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  const documents = store.logOf(entries);
  expect(documents.size).toBe(3);
  expect(documents.page({ keys: ["author 4"], descending: true, page: first20 })).toMatchObject({
    items: [],
    total: 0,
  });
  expect(append(store, 1, plain)[0]?.id).toBe(4);
  await store.close();
});

describe("damage in a sealed segment", () => {
  test("a flipped bit in a document is refused when that document is read, and no other", async () => {
    await using folder = await createTempFolder();
    const store = await openStore(folder.path);
    append(store, 1100, plain);
    await store.checkpoint();
    const path = join(folder.path, "generations/0001/logs/entries/000000.json");
    const bytes = await readFile(path);
    const place = bytes.indexOf(`"entry 500 `) + 8;
    bytes[place] = (bytes[place] as number) ^ 1;
    await writeFile(path, bytes);
    const documents = store.logOf(entries);
    expect(() => documents.get(500)).toThrow("document 500 does not match its checksum");
    expect(documents.get(499)?.text).toStartWith("entry 499");
    await store.close();
  });

  test("a side index that was lost is made again", async () => {
    await using folder = await createTempFolder();
    const store = await openStore(folder.path);
    const written = append(store, 1100, plain);
    await store.close();
    const path = join(folder.path, "generations/0001/logs/entries/000000.index.json");
    await rm(path);
    const again = await openStore(folder.path);
    expect(again.logOf(entries).get(500)).toEqual(written[499] as Entry);
    await again.checkpoint();
    expect(existsSync(path)).toBe(true);
    expect(again.logOf(entries).get(500)).toEqual(written[499] as Entry);
    await again.close();
  });
});

test("side indexes with keys of an older rule are made again at the start, and by a check in memory only", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const written = append(store, 2500, plain);
  await store.close();
  const byText = log("entries", Entry, {
    timeOf: (entry) => entry.at,
    keysOf: (entry) => [`both ${entry.author} ${entry.entity}`],
    keysVersion: 2,
  });
  const path = join(folder.path, "generations/0001/logs/entries/000001.index.json");
  const before = await readFile(path);
  expect(await checkStore({ disk: systemDisk, folder: folder.path, collections: [byText] })).toEqual([]);
  expect(await readFile(path)).toEqual(before);

  const reading: string[] = [];
  const watching: Disk = {
    ...systemDisk,
    read(name) {
      reading.push(name);
      return systemDisk.read(name);
    },
  };
  for (const isFirst of [true, false]) {
    reading.length = 0;
    const again = await openStore(folder.path, watching, byText);
    const sealed = reading.filter((name) => /logs.entries.00000[01]\.json$/.test(name));
    expect(sealed.length > 0).toBe(isFirst);
    const documents = again.logOf(byText);
    const fits = written.filter(({ author, entity }) => author === 3 && entity === "Project 10");
    const { items, total } = documents.page({ keys: ["both 3 Project 10"], descending: false, page: first20 });
    expect([items, total]).toEqual([fits, fits.length]);
    expect(documents.page({ keys: ["author 3"], descending: false, page: first20 }).total).toBe(0);
    for (const entry of written) expect(documents.get(entry.id)).toEqual(entry);
    await again.close();
  }
  expect(await readFile(path)).not.toEqual(before);
});

test("one entry with a wrong time does not prevent skipping segments that lie outside", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const ahead = { ...plain(1), at: plain(9_000_000).at };
  const written = append(store, 5 * 1024, (id) => (id === 1 ? ahead : plain(id)));
  await store.close();
  const again = await openStore(folder.path);
  for (const descending of [true, false]) {
    const fits = written.filter(({ id, author }) => author === 3 && id >= 2500 && id <= 2600);
    const range = { from: plain(2500).at, to: plain(2600).at };
    const page = { kind: "offset", page: 1, perPage: 100 } as const;
    const { items, total } = again.logOf(entries).page({ keys: ["author 3"], ...range, descending, page });
    expect([items, total]).toEqual([descending ? fits.toReversed() : fits, fits.length]);
  }
  await again.close();
});

test("property: any page of any query equals that of a plain filter, with the clock going back too", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  const base = 1_700_000_000_000;
  const all = append(store, 2600, (id) => ({
    at: base + ((id * 7919) % 1000) * 1000 + id * 10,
    author: id % 3 === 0 ? 1 : id % 11,
    entity: id % 2 === 0 ? "Project 1" : `Group ${id % 400}`,
    text: `entry ${id}`,
  }));
  await store.checkpoint();
  const documents = store.logOf(entries);
  const keys = fc.constantFrom("author 1", "author 5", "author 99", "Project 1", "Group 7", "Group 399");
  const time = fc.option(fc.integer({ min: base - 5000, max: base + 1_030_000 }), { nil: undefined });
  const page = fc.oneof(
    fc.record({
      kind: fc.constant("offset" as const),
      page: fc.integer({ min: 1, max: 140 }),
      perPage: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({
      kind: fc.constant("keyset" as const),
      after: fc.option(
        fc.integer({ min: 0, max: 2700 }).map((id) => ({ key: id, id })),
        { nil: undefined },
      ),
      perPage: fc.integer({ min: 1, max: 100 }),
    }),
  );
  const query = fc.record({
    keys: fc.uniqueArray(keys, { maxLength: 2 }),
    from: time,
    to: time,
    descending: fc.boolean(),
    page,
  });
  fc.assert(
    fc.property(query, (given: LogQuery) => {
      const fits = all.filter(
        (entry) =>
          given.keys.every((key) => [`author ${entry.author}`, entry.entity].includes(key)) &&
          entry.at >= (given.from ?? 0) &&
          entry.at <= (given.to ?? Number.POSITIVE_INFINITY),
      );
      if (given.descending) fits.reverse();
      const found = documents.page(given);
      const { page: wanted } = given;
      if (wanted.kind === "offset") {
        const start = (wanted.page - 1) * wanted.perPage;
        expect(found.items).toEqual(fits.slice(start, start + wanted.perPage));
        expect(found.total).toBe(fits.length);
        expect(found.hasNext).toBe(start < fits.length && start + wanted.perPage < fits.length);
      } else {
        const { after } = wanted;
        const rest = fits.filter(
          (entry) => after === undefined || (given.descending ? entry.id < after.id : entry.id > after.id),
        );
        expect(found.items).toEqual(rest.slice(0, wanted.perPage));
        expect(found.next?.id).toBe(rest.length > wanted.perPage ? rest[wanted.perPage - 1]?.id : undefined);
      }
    }),
    { numRuns: 400 },
  );
  await store.close();
});
