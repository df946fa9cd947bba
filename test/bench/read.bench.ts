import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { drive, generator, type Loaded } from "./support/load.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { createToken, createUsers, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const path = "/api/v4/users?per_page=20";
const users = 10_000;
const connections = 16;
const seconds = 3;
/** Loads of each server before those that count: the compiler of the runtime is at work for ten seconds of them. */
const warmUps = 3;

interface Measured extends Loaded {
  readonly cpuMicros: number;
}

interface Row {
  readonly server: MeasuredProcess;
  readonly token: string;
  readonly isVaried?: boolean;
}

const rowNames = ["bare", "elysia", "a bare route", "outpost, same URL", "outpost, other URLs"] as const;
type RowName = (typeof rowNames)[number];

async function measure({ server, token, isVaried = false }: Row): Promise<Measured> {
  const before = server.cpuMicros();
  const loaded = await drive({ url: server.origin + path, token, isVaried, connections, seconds });
  return { ...loaded, cpuMicros: (server.cpuMicros() - before) / loaded.requests };
}

/** Writes the bytes that a server answers with into a file, and returns their type. */
async function saveAnswer({ server, token }: Row, file: string): Promise<string> {
  const answer = await fetch(server.origin + path, { headers: { "PRIVATE-TOKEN": token } });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  await writeFile(file, await answer.bytes());
  return answer.headers.get("content-type") ?? "";
}

function startPeer(script: string, ...args: string[]): Promise<MeasuredProcess> {
  return startMeasured([process.execPath, join(import.meta.dir, "support/peers", script), ...args]);
}

async function run({ scale }: { scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  await using server = await startMeasuredOutpost([], join(folder.path, "data"));
  await createUsers(server.origin, Math.round(users * scale));
  const member = await createToken(server.origin, 2);
  for (const [caller, token] of Object.entries({ "a member": member, "an administrator": rootToken })) {
    const file = join(folder.path, `body-of-${caller}`);
    const type = await saveAnswer({ server, token }, file);
    await using bare = await startPeer("bare-server.ts", file, type);
    await using elysia = await startPeer("elysia-server.ts", file);
    await using route = await startPeer("page-server.ts", file, join(folder.path, "log"));
    console.log(`with the token of ${caller}, ${Bun.file(file).size} bytes`);
    await compare({
      bare: { server: bare, token },
      elysia: { server: elysia, token, isVaried: true },
      "a bare route": { server: route, token: rootToken, isVaried: true },
      "outpost, same URL": { server, token },
      "outpost, other URLs": { server, token, isVaried: true },
    });
  }
  console.log(`load by ${generator}, ${connections} connections, ${Math.round(users * scale)} users, log into a file`);
}

async function compare(rows: Readonly<Record<RowName, Row>>): Promise<void> {
  for (let count = 0; count < warmUps; count += 1) for (const row of Object.values(rows)) await measure(row);
  const measures = Object.fromEntries(rowNames.map((name) => [name, () => measure(rows[name])]));
  const rounds = await interleave(measures as Record<RowName, () => Promise<Measured>>, ({ bare }) => bare.rate);
  const { bare, elysia } = rounds.of;
  const of = (results: readonly Measured[], value: (measured: Measured) => number) =>
    digits(median(results.map(value)));
  printTable(
    ["", "of bare", "of elysia", "requests/s", "p50 ms", "p99 ms", "CPU µs", "RSS MB"],
    rowNames.map((name) => {
      const results = rounds.of[name];
      return [
        name,
        digits(ratio(results, bare, ({ rate }) => rate)),
        digits(ratio(results, elysia, ({ rate }) => rate)),
        of(results, ({ rate }) => rate),
        of(results, ({ p50Ms }) => p50Ms),
        of(results, ({ p99Ms }) => p99Ms),
        of(results, ({ cpuMicros }) => cpuMicros),
        digits(rows[name].server.rssMb()),
      ];
    }),
  );
  const same = ratio(rounds.of["outpost, same URL"], bare, ({ rate }) => rate);
  const others = ratio(rounds.of["outpost, other URLs"], elysia, ({ rate }) => rate);
  console.log(`  same URL, of the bare server: ${verdict(same, "at least", 0.4)}`);
  console.log(`  other URLs, of Elysia with a query schema: ${verdict(others, "at least", 0.75)}`);
  console.log(`  ${calmness(rounds)}\n`);
}

export const bench: Bench = {
  title: `GET ${path} beside a bare server of the same bytes, and Elysia with a query schema and fixed data`,
  run,
};
