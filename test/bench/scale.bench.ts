import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, digits, median, printTable, verdict } from "./support/figures.ts";
import { startMeasuredOutpost } from "./support/outpost.ts";
import { timesOf } from "./support/requests.ts";
import { benchUserFilters } from "./support/user-filters.ts";

const worker = join(import.meta.dir, "support/scale-worker.ts");

/** One step in a process of its own, so that one's memory does not count for the other. */
async function step<R>(name: string, folder: string, number: number): Promise<R> {
  const child = Bun.spawn([process.execPath, worker, name, folder, String(number)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${name} failed`);
  return JSON.parse(text) as R;
}

const inThousands = (count: number) => (count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1000}k`);

interface Opened {
  readonly openMs: number;
  readonly bytesEach: number;
  readonly segmentReads: number;
  readonly queries: Readonly<Record<string, number>>;
}

interface Written {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly delayP99Ms: number;
  readonly journalMb: number;
}

const writeSeconds = 6;

/** Durable creates, start and memory as the store grows. */
async function benchDocuments(folder: string, sizes: readonly number[]): Promise<void> {
  const rows: string[][] = [];
  const written: Written[] = [];
  const starts: { size: number; openMs: number; floorMs: number; bytesEach: number }[] = [];
  for (const size of sizes) {
    const store = join(folder, `items-${size}`);
    await step("fill-items", store, size);
    const { floorMs } = await step<{ floorMs: number }>("floor-items", store, 0);
    const { openMs, bytesEach } = await step<Opened>("open-items", store, 0);
    const writes = await step<Written>("write-items", store, writeSeconds);
    starts.push({ size, openMs, floorMs, bytesEach });
    written.push(writes);
    rows.push([
      inThousands(size),
      digits(writes.perSecond),
      digits(writes.p99Ms),
      digits(writes.delayP99Ms),
      digits(writes.journalMb),
      digits(openMs),
      digits(openMs / floorMs),
      digits(bytesEach),
    ]);
  }
  printTable(
    [
      "documents",
      "creates/s",
      "p99 ms",
      "loop p99 ms",
      "journal MB",
      "start ms",
      "of reading and parsing",
      "bytes each",
    ],
    rows,
  );
  const [smallest, largest] = [written[0] as Written, written.at(-1) as Written];
  console.log(`  cost of a create: ${verdict(smallest.perSecond / largest.perSecond, "at most", 1.3, " times")}`);
  console.log(`  p99 of writes: ${verdict(Math.max(...written.map(({ p99Ms }) => p99Ms)), "at most", 20, " ms")}`);
  console.log(
    `  loop delay p99: ${verdict(Math.max(...written.map(({ delayP99Ms }) => delayP99Ms)), "at most", 5, " ms")}`,
  );
  for (const { size, openMs } of starts) {
    if (size === 100_000) console.log(`  start with 100k: ${verdict(openMs / 1000, "at most", 0.6, " s")}`);
    if (size === 1_000_000) console.log(`  start with 1M: ${verdict(openMs / 1000, "at most", 4, " s")}`);
  }
  const last = starts.at(-1);
  if (last !== undefined) console.log(`  memory of a document: ${verdict(last.bytesEach, "at most", 1300, " bytes")}`);
}

async function benchLog(folder: string, sizes: readonly number[]): Promise<void> {
  const opened: Opened[] = [];
  for (const size of sizes) {
    const store = join(folder, `entries-${size}`);
    await step("fill-entries", store, size);
    opened.push(await step<Opened>("open-entries", store, 0));
  }
  const names = Object.keys(opened[0]?.queries ?? {});
  printTable(
    ["log entries", "start ms", "segments read", "bytes each", ...names.map((name) => `${name} ms`)],
    opened.map(({ openMs, segmentReads, bytesEach, queries }, place) => [
      inThousands(sizes[place] as number),
      digits(openMs),
      String(segmentReads),
      digits(bytesEach),
      ...names.map((name) => digits(queries[name] ?? Number.NaN)),
    ]),
  );
  const [small, large] = [opened[0] as Opened, opened.at(-1) as Opened];
  console.log(`  memory of an entry: ${verdict(large.bytesEach, "at most", 100, " bytes")}`);
  for (const name of names) {
    console.log(
      `  ${name}: ${verdict((large.queries[name] ?? 0) / (small.queries[name] ?? 1), "at most", 2, " times")}`,
    );
  }
}

const requestsEach = 300;

/** The text indexes are built after the start, and answers wait for slices of that work meanwhile. */
async function searchReady(origin: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${origin}/-/metrics`)).text();
    if (metrics.includes("\noutpost_store_search_ready 1\n")) return;
    await Bun.sleep(100);
  }
}

const cursor = (name: string) => Buffer.from(JSON.stringify(["name", "asc", name, 1])).toString("base64url");

async function benchUsers(folder: string, sizes: readonly number[]): Promise<void> {
  const queries: Readonly<Record<string, (turn: number) => string>> = {
    "page 1": () => "per_page=20",
    "page 400": () => "per_page=20&page=400",
    keyset: (turn) => `per_page=20&pagination=keyset&order_by=name&sort=asc&cursor=${cursor(`lena ${turn % 10}`)}`,
    username: (turn) => `username=person${((turn + 1) * 7919) % 1_000_003}`,
    "a selective word": (turn) => `search=person${((turn + 1) * 7919) % 1_000_003}`,
  };
  const found = new Map<string, { p50: number[]; p99: number[] }>();
  for (const size of sizes) {
    const data = join(folder, `users-${size}`);
    await step("fill-users", data, size);
    await using outpost = await startMeasuredOutpost([], data);
    await searchReady(outpost.origin);
    for (const [name, paths] of Object.entries(queries)) {
      await timesOf(outpost.origin, paths, requestsEach);
      const times = await timesOf(outpost.origin, paths, requestsEach);
      const row = found.get(name) ?? { p50: [], p99: [] };
      row.p50.push(median(times));
      row.p99.push(times[Math.floor(times.length * 0.99)] ?? Number.NaN);
      found.set(name, row);
    }
    if (size === sizes.at(-1)) {
      console.log(`each of ${inThousands(size)} users, alone:`);
      await benchUserFilters(outpost.origin);
    }
  }
  printTable(
    [
      "GET /users",
      ...sizes.map((size) => `${inThousands(size)} p50 ms`),
      ...sizes.map((size) => `${inThousands(size)} p99 ms`),
    ],
    [...found].map(([name, { p50, p99 }]) => [name, ...p50.map(digits), ...p99.map(digits)]),
  );
  for (const [name, { p50, p99 }] of found) {
    if (name === "username" || name === "a selective word") {
      console.log(`  ${name}: p99 ${verdict(p99.at(-1) ?? Number.NaN, "at most", 5, " ms")}`);
    } else {
      console.log(`  ${name}: ${verdict((p50.at(-1) ?? Number.NaN) / (p50[0] ?? 1), "at most", 1.3, " times")}`);
    }
  }
}

export const bench: Bench = {
  title:
    "the same work on stores of rising size; --scale 10 goes up to a million, --scale 50 to five million log entries",
  async run({ scale }) {
    await using folder = await createTempFolder();
    const documents = 100_000 * Math.min(scale, 10);
    await benchDocuments(
      folder.path,
      [...new Set([1000, 100_000, documents])].filter((size) => size <= documents),
    );
    console.log();
    await benchLog(folder.path, [50_000, 100_000 * Math.min(scale, 50)]);
    console.log();
    await benchUsers(folder.path, [10_000, documents]);
  },
};
