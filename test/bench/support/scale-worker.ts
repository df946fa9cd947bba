// One step with a store of many documents, in a process of its own. Arguments: step, folder, number. Prints JSON.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { insertUser } from "../../../src/modules/core/users/index.ts";
import { users } from "../../../src/modules/core/users/records.ts";
import { collections } from "../../../src/modules/index.ts";
import {
  type AnyCollectionDeclaration,
  bitmap,
  collection,
  type Disk,
  field,
  log,
  ordered,
  type RecordOf,
  record,
  Store,
  systemDisk,
  type Transaction,
  unique,
} from "../../../src/store/index.ts";
import { personOf } from "./people.ts";

/** About 600 bytes of JSON, with the indexes of an ordinary resource. */
const Item = record({
  id: field.whole,
  key: field.text,
  name: field.text,
  state: field.oneOf("opened", "closed"),
  created_at: field.text,
  text: field.text,
});
type Item = RecordOf<typeof Item>;

const items = collection("items", Item, {
  indexes: {
    key: unique((item) => item.key),
    state: bitmap((item) => [item.state]),
    id: ordered((item) => item.id),
    name: ordered((item) => item.name),
    created_at: ordered((item) => item.created_at),
  },
});

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

const filler = "lorem ipsum dolor sit amet consetetur sadipscing elitr ".repeat(9).slice(0, 430);
const firstTime = Date.UTC(2020, 0, 1);

function itemOf(id: number): Item {
  const mixed = (id * 7919) % 1_000_003;
  return {
    id,
    key: `item-${mixed}-${id}`,
    name: `Item ${mixed.toString(36)}`,
    state: mixed % 3 === 0 ? "closed" : "opened",
    created_at: new Date(firstTime + id * 60_000).toISOString(),
    text: filler,
  };
}

function entryOf(id: number): Entry {
  const mixed = (id * 7919) % 1_000_003;
  return {
    id,
    at: firstTime + id * 1000,
    author: mixed % 5000,
    entity: `Project ${mixed % 200}`,
    text: filler.slice(0, 300),
  };
}

function open(folder: string, own: readonly AnyCollectionDeclaration[], disk: Disk = systemDisk): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  return Store.open({
    folder,
    collections: own,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    disk,
    onDiskFailure,
  });
}

const batch = 500;
let peopleMade = 0;

/** A person with the personal namespace that each has. */
function insertPerson(tx: Transaction) {
  peopleMade += 1;
  const { id: _, namespace_id: __, ...attributes } = personOf(peopleMade);
  insertUser(tx, attributes);
}

async function fill(
  folder: string,
  count: number,
  own: AnyCollectionDeclaration[],
  insert: Parameters<Store["transact"]>[0],
  name: string,
) {
  const store = await open(folder, own);
  const done = store.statistics().documents[name] ?? 0;
  for (let left = count - done; left > 0; left -= batch) {
    store.transact((tx) => {
      for (let i = 0; i < Math.min(batch, left); i += 1) insert(tx);
    });
    await store.settled();
  }
  await store.checkpoint();
  await store.close();
  return { count };
}

function rssBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().rss;
}

/** Opens, and says how long that took and how much memory stays. */
async function measureOpen(folder: string, own: readonly AnyCollectionDeclaration[], name: string) {
  const before = rssBytes();
  let segmentReads = 0;
  const watching: Disk = {
    ...systemDisk,
    read(path) {
      if (/\/logs\/.*\/\d+\.json$/.test(path)) segmentReads += 1;
      return systemDisk.read(path);
    },
  };
  const startedMs = performance.now();
  const store = await open(folder, own, watching);
  const openMs = performance.now() - startedMs;
  // The system gets freed memory back a little after the garbage collection.
  for (let i = 0; i < 5; i += 1) {
    rssBytes();
    await Bun.sleep(200);
  }
  const count = store.statistics().documents[name] ?? 0;
  const bytesEach = (rssBytes() - before) / count;
  return { store, result: { openMs, count, bytesEach, segmentReads } };
}

/** Reading and parsing the same bytes, and nothing else. */
function measureFloor(folder: string) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const startedMs = performance.now();
  const kept: unknown[] = [];
  for (const name of files) kept.push(JSON.parse(readFileSync(join(folder, name), "utf8")));
  return { floorMs: performance.now() - startedMs, files: kept.length };
}

/** Durable creates by 16 writers while segments are written back: rate, latency, and how long the loop was held. */
async function measureWrites(folder: string, seconds: number) {
  const store = await open(folder, [items]);
  const latencies: number[] = [];
  const delays: number[] = [];
  let journalBytesMax = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    delays.push(Math.max(0, now - last - 1));
    last = now;
    if (delays.length % 50 === 0) journalBytesMax = Math.max(journalBytesMax, store.statistics().journalBytes);
  }, 1);
  const end = performance.now() + seconds * 1000;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < end) {
        const begun = performance.now();
        store.transact((tx) => tx.insert(items, itemOf(tx.nextId("items"))));
        await store.settled();
        latencies.push(performance.now() - begun);
      }
    }),
  );
  const tookS = (performance.now() - startedMs) / 1000;
  clearInterval(watch);
  process.stdout.write(
    `${JSON.stringify({
      perSecond: latencies.length / tookS,
      p99Ms: percentile(latencies, 0.99),
      delayP99Ms: percentile(delays, 0.99),
      journalMb: journalBytesMax / 1e6,
    })}\n`,
  );
  process.exit(0);
}

function percentile(values: number[], part: number): number {
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length * part)] ?? Number.NaN;
}

/** Median milliseconds of each query of a log. */
function measureLogQueries(store: Store, count: number) {
  const documents = store.logOf(entries);
  const offset = { kind: "offset", page: 1, perPage: 20 } as const;
  const queries = {
    newest: () => documents.page({ keys: [], descending: true, page: offset }),
    range: () => {
      const from = firstTime + Math.floor(count * 0.4) * 1000;
      return documents.page({ keys: [], from, to: from + 3_600_000, descending: true, page: offset });
    },
    entity: () => documents.page({ keys: ["Project 77"], descending: true, page: offset }),
    keyset: () => {
      const id = Math.floor(count * 0.6);
      return documents.page({
        keys: [],
        descending: true,
        page: { kind: "keyset", after: { key: id, id }, perPage: 20 },
      });
    },
  };
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => {
      const times: number[] = [];
      for (let i = 0; i < 200; i += 1) {
        const begun = performance.now();
        query();
        times.push(performance.now() - begun);
      }
      return [name, percentile(times, 0.5)];
    }),
  );
}

const [step = "", folder = "", number = "0"] = process.argv.slice(2);
const count = Number(number);
const steps: Readonly<Record<string, () => unknown>> = {
  "fill-items": () => fill(folder, count, [items], (tx) => tx.insert(items, itemOf(tx.nextId("items"))), "items"),
  "fill-entries": () =>
    fill(folder, count, [entries], (tx) => tx.append(entries, entryOf(tx.nextId("entries"))), "entries"),
  "fill-users": () =>
    fill(folder, count, [...collections], (tx) => tx.insert(users, personOf(tx.nextId("users"))), "users"),
  "fill-people": () => fill(folder, count, [...collections], insertPerson, "users"),
  "open-items": async () => (await measureOpen(folder, [items], "items")).result,
  "open-entries": async () => {
    const { store, result } = await measureOpen(folder, [entries], "entries");
    return { ...result, queries: measureLogQueries(store, result.count) };
  },
  "floor-items": () => measureFloor(join(folder, "generations/0001/documents/items")),
  "write-items": () => measureWrites(folder, count),
};
const run = steps[step];
if (run === undefined) throw new Error(`no step ${step}`);
process.stdout.write(`${JSON.stringify(await run())}\n`);
process.exit(0);
