import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { drive, generator, type Loaded } from "./support/load.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { compareOperations } from "./support/operations.ts";
import { createProject, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const seconds = 2;
const counts = [1, 16, 64] as const;
const bounds = { 1: 0.9, 16: 0.8, 64: 0.5 } as const;
const timesSqlite = 3;

interface Measured extends Loaded {
  readonly cpuMicros: number;
}

/** A server that is measured, and the address that its requests go to. */
interface Writer {
  readonly server: MeasuredProcess;
  readonly url: string;
}

async function measure({ server, url }: Writer, connections: number): Promise<Measured> {
  const before = server.cpuMicros();
  const body = JSON.stringify({ description: "nightly {n}" });
  const loaded = await drive({ url, token: rootToken, connections, seconds, body });
  return { ...loaded, cpuMicros: (server.cpuMicros() - before) / loaded.requests };
}

async function startPeer(script: string, ...args: readonly string[]): Promise<MeasuredProcess> {
  return startMeasured([process.execPath, join(import.meta.dir, "support/peers", script), ...args]);
}

async function run(): Promise<void> {
  await compareWrites();
  console.log("\nCPU of the operations that clients call most, beside a bare server with the same bytes");
  await compareOperations();
}

async function compareWrites(): Promise<void> {
  await using folder = await createTempFolder();
  await using outpost = await startMeasuredOutpost();
  await using other = await createTempFolder();
  await using sqlite = await startPeer("durable-peer.ts", "sqlite", folder.path);
  await using journal = await startPeer("durable-peer.ts", "journal", folder.path);
  await using route = await startPeer("route-server.ts", other.path);
  const project = await createProject(outpost.origin, "bench");
  const path = `/api/v4/projects/${project}/triggers`;
  const writers: Record<"outpost" | "route" | "sqlite" | "journal", Writer> = {
    outpost: { server: outpost, url: outpost.origin + path },
    route: { server: route, url: route.origin + path },
    sqlite: { server: sqlite, url: sqlite.origin },
    journal: { server: journal, url: journal.origin },
  };
  // The first seconds of a server are those of its compiler.
  for (const writer of Object.values(writers)) await measure(writer, 16);
  const names = counts.flatMap(
    (count) => [`outpost ${count}`, `route ${count}`, `journal ${count}`, `sqlite ${count}`] as const,
  );
  const rows = Object.fromEntries(
    names.map((row) => {
      const [name, connections] = row.split(" ") as [keyof typeof writers, string];
      return [row, () => measure(writers[name], Number(connections))];
    }),
  ) as Record<(typeof names)[number], () => Promise<Measured>>;
  const rounds = await interleave(rows, (results) => results["journal 16"].rate);
  printTable(
    ["", "connections", "of journal", "requests/s", "p50 ms", "p99 ms", "CPU µs", "RSS MB"],
    names.map((row) => {
      const [name, connections] = row.split(" ") as [keyof typeof writers, "1"];
      const results = rounds.of[row];
      return [
        name,
        connections,
        digits(ratio(results, rounds.of[`journal ${connections}`], ({ rate }) => rate)),
        digits(median(results.map(({ rate }) => rate))),
        digits(median(results.map(({ p50Ms }) => p50Ms))),
        digits(median(results.map(({ p99Ms }) => p99Ms))),
        digits(median(results.map(({ cpuMicros }) => cpuMicros))),
        digits(writers[name].server.rssMb()),
      ];
    }),
  );
  const beside = (peer: "journal" | "sqlite", connections: (typeof counts)[number]) =>
    ratio(rounds.of[`outpost ${connections}`], rounds.of[`${peer} ${connections}`], ({ rate }) => rate);
  for (const connections of counts) {
    const found = beside("journal", connections);
    console.log(`  ${connections} at once, of the journal: ${verdict(found, "at least", bounds[connections])}`);
  }
  console.log(`  16 at once, of sqlite: ${verdict(beside("sqlite", 16), "at least", timesSqlite, " times")}`);
  console.log(`  load by ${generator}; ${calmness(rounds)}`);
}

export const bench: Bench = {
  title:
    "create a trigger token beside a bare group commit and bun:sqlite (WAL, synchronous=FULL), both behind Bun.serve, and a bare Elysia route on that group commit; twenty operations",
  run,
};
