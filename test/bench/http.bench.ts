import { join } from "node:path";
import { createTempFolder } from "../support/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { drive, generator, type Loaded } from "./support/load.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const seconds = 2;
const counts = [1, 16, 64] as const;
const bounds = { 1: 0.9, 16: 2, 64: 2.5 } as const;

interface Measured extends Loaded {
  readonly cpuMicros: number;
}

let loads = 0;

async function measure(server: MeasuredProcess, connections: number): Promise<Measured> {
  const before = server.cpuMicros();
  loads += 1;
  const url = `${server.origin}/api/v4/users`;
  const loaded = await drive({ url, token: rootToken, connections, seconds, createUsers: `load${loads}-` });
  return { ...loaded, cpuMicros: (server.cpuMicros() - before) / loaded.requests };
}

async function run(): Promise<void> {
  await using folder = await createTempFolder();
  await using outpost = await startMeasuredOutpost(["--log-level", "warn"]);
  const script = join(import.meta.dir, "support/sqlite-server.ts");
  await using sqlite = await startMeasured([process.execPath, script, folder.path], { BENCH_ROOT_TOKEN: rootToken });
  const servers = { outpost, sqlite };
  // The first seconds of a server are those of its compiler.
  for (const server of Object.values(servers)) await measure(server, 16);
  const names = counts.flatMap((count) => [`outpost ${count}`, `sqlite ${count}`] as const);
  const rows = Object.fromEntries(
    names.map((row) => {
      const [name, connections] = row.split(" ") as ["outpost" | "sqlite", string];
      return [row, () => measure(servers[name], Number(connections))];
    }),
  ) as Record<(typeof names)[number], () => Promise<Measured>>;
  const rounds = await interleave(rows, (results) => results["sqlite 16"].rate);
  printTable(
    ["", "connections", "of sqlite", "requests/s", "p50 ms", "p99 ms", "CPU µs", "RSS MB"],
    names.map((row) => {
      const [name, connections] = row.split(" ") as ["outpost" | "sqlite", "1"];
      const results = rounds.of[row];
      return [
        name,
        connections,
        digits(ratio(results, rounds.of[`sqlite ${connections}`], ({ rate }) => rate)),
        digits(median(results.map(({ rate }) => rate))),
        digits(median(results.map(({ p50Ms }) => p50Ms))),
        digits(median(results.map(({ p99Ms }) => p99Ms))),
        digits(median(results.map(({ cpuMicros }) => cpuMicros))),
        digits(servers[name].rssMb()),
      ];
    }),
  );
  for (const connections of counts) {
    const beside = ratio(rounds.of[`outpost ${connections}`], rounds.of[`sqlite ${connections}`], ({ rate }) => rate);
    console.log(`  ${connections} at once: ${verdict(beside, "at least", bounds[connections], " times")}`);
  }
  console.log(`  load by ${generator}; ${calmness(rounds)}`);
}

export const bench: Bench = {
  title: "POST /users with force_random_password beside bun:sqlite (WAL, synchronous=FULL) behind the same HTTP layer",
  run,
};
