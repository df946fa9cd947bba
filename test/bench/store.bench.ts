import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";

const seconds = 1.5;
const counts = [1, 16, 64] as const;
const bounds = { 1: 0.9, 16: 4, 64: 7 } as const;

interface Measured {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A process and an empty folder for every measurement: neither compiled code nor files are handed on. */
async function measure(engine: string, writers: number): Promise<Measured> {
  await using folder = await createTempFolder();
  const script = join(import.meta.dir, "support/store-writer.ts");
  const command = [process.execPath, script, engine, String(writers), String(seconds), folder.path];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const said = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return JSON.parse(said) as Measured;
}

async function run(): Promise<void> {
  const engines = [
    "limit 1",
    ...counts.flatMap((writers) => [`outpost ${writers}`, `sqlite ${writers}`] as const),
  ] as const;
  const rows = Object.fromEntries(
    engines.map((row) => {
      const [engine, writers] = row.split(" ") as [string, string];
      return [row, () => measure(engine, Number(writers))];
    }),
  ) as Record<(typeof engines)[number], () => Promise<Measured>>;
  const rounds = await interleave(rows, (results) => results["limit 1"].rate);
  printTable(
    ["", "writers", "of sqlite", "writes/s", "p50 ms", "p99 ms"],
    engines.map((row) => {
      const [engine, writers] = row.split(" ") as [string, "1"];
      const results = rounds.of[row];
      const beside = ratio(results, rounds.of[`sqlite ${writers}` as "sqlite 1"], ({ rate }) => rate);
      return [
        engine === "limit" ? "2 KB + fdatasync" : engine,
        writers,
        digits(beside),
        digits(median(results.map(({ rate }) => rate))),
        digits(median(results.map(({ p50Ms }) => p50Ms))),
        digits(median(results.map(({ p99Ms }) => p99Ms))),
      ];
    }),
  );
  for (const writers of counts) {
    const beside = ratio(rounds.of[`outpost ${writers}`], rounds.of[`sqlite ${writers}`], ({ rate }) => rate);
    console.log(`  ${writers} at once: ${verdict(beside, "at least", bounds[writers], " times")}`);
  }
  console.log(`  ${calmness(rounds)}`);
}

export const bench: Bench = {
  title: "durable creates of the store alone beside bun:sqlite (WAL, synchronous=FULL), same documents",
  run,
};
