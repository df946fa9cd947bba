import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, digits, median, printTable, verdict } from "./support/figures.ts";
import type { Asked } from "./support/issues/issue-counts.ts";

const worker = join(import.meta.dir, "support/issues/issue-worker.ts");
/** The number of runs of each query. */
const turns = 100;

async function step<R>(name: string, folder: string, number: number): Promise<R> {
  const child = Bun.spawn([process.execPath, worker, name, folder, String(number)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${name} failed`);
  return JSON.parse(text) as R;
}

interface Memory {
  readonly jsonBytes: number;
  readonly openMs: number;
  readonly bytesEach: number;
  readonly textBytesEach: number;
}

type Counts = Readonly<Record<"mix" | "selective" | "wide", readonly Asked[]>>;

async function benchMemory(folder: string, count: number): Promise<void> {
  await step("fill-issues", folder, count);
  const { jsonBytes, openMs, bytesEach, textBytesEach } = await step<Memory>("memory", folder, 0);
  console.log(`${count} issues of ${digits(jsonBytes)} bytes, opened in ${digits(openMs)} ms`);
  console.log(`  memory of an issue: ${verdict(bytesEach, "at most", 1_200, " bytes")}`);
  console.log(`  its text index: ${digits(textBytesEach)} bytes more`);
}

const slowest = (asked: readonly Asked[], by: "p99Ms" | "p99CpuMs" = "p99Ms") =>
  asked.reduce((one, other) => (other[by] > one[by] ? other : one));

const ratios = (asked: readonly Asked[], of: "scanMs" | "sqliteMs") =>
  asked.flatMap((each) => (each[of] === undefined ? [] : [each[of] / each.p50Ms]));

function printCounts({ mix, selective, wide }: Counts): void {
  const rowOf = ({ name, path, caller, found, p50Ms, p99Ms, p99CpuMs, scanMs, sqliteMs }: Asked) => [
    ...[name, path, caller, String(found), digits(p50Ms), digits(p99Ms), digits(p99CpuMs)],
    ...[digits(scanMs ?? Number.NaN), digits(sqliteMs ?? Number.NaN)],
  ];
  const head = ["", "path", "caller", "found", "p50 ms", "p99 ms", "p99 CPU ms", "scan ms", "sqlite ms"];
  printTable(head, mix.filter(({ name }) => !name.includes("&")).map(rowOf));
  const dearest = mix.filter(({ name }) => name.includes("&")).toSorted((one, other) => other.p50Ms - one.p50Ms);
  console.log("\nthe dearest pairs");
  printTable(head, dearest.slice(0, 10).map(rowOf));
  console.log("\nsearches");
  printTable(head, [...selective, ...wide].map(rowOf));
  const worst = slowest(mix);
  console.log(`\n  ${mix.length} questions: median ${digits(median(mix.map(({ p50Ms }) => p50Ms)))} ms`);
  console.log(`  slowest, ${worst.name}, ${worst.path}: p99 ${verdict(worst.p99Ms, "at most", 10, " ms")}`);
  const dear = slowest(mix, "p99CpuMs");
  console.log(`  of processor time, ${dear.name}, ${dear.path}: p99 ${verdict(dear.p99CpuMs, "at most", 10, " ms")}`);
  console.log(`  beside a scan, in the median: ${verdict(median(ratios(mix, "scanMs")), "at least", 50, " times")}`);
  console.log(
    `  beside bun:sqlite, in the median: ${verdict(median(ratios(mix, "sqliteMs")), "at least", 1, " times")}`,
  );
  const search = slowest(selective);
  console.log(`  slowest selective search, ${search.name}: p99 ${verdict(search.p99Ms, "at most", 20, " ms")}`);
  const least = Math.min(...ratios(wide, "scanMs"));
  console.log(`  other searches, the least beside a scan: ${verdict(least, "at least", 1, " times")}`);
}

export const bench: Bench = {
  title: "GET …/issues_statistics: its service, beside a scan and bun:sqlite in the same process, a million issues",
  async run({ scale }) {
    await using folder = await createTempFolder();
    const count = Math.round(1_000_000 * scale);
    await benchMemory(folder.path, count);
    console.log();
    await step("fill-around", folder.path, count);
    printCounts(await step<Counts>("counts", folder.path, turns));
  },
};
