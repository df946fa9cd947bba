import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "../support/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { drive, generator, type Loaded } from "./support/load.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { createToken, createUsers, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const path = "/api/v4/users?per_page=20";
const users = 10_000;
const connections = 16;
const seconds = 3;

interface Measured extends Loaded {
  readonly cpuMicros: number;
}

interface Row {
  readonly server: MeasuredProcess;
  readonly token: string;
}

async function measure({ server, token }: Row): Promise<Measured> {
  const before = server.cpuMicros();
  const loaded = await drive({ url: server.origin + path, token, connections, seconds });
  return { ...loaded, cpuMicros: (server.cpuMicros() - before) / loaded.requests };
}

/** A server that answers with the bytes that the other one answers with, and does nothing else. */
async function startBare({ server, token }: Row, file: string): Promise<MeasuredProcess> {
  const answer = await fetch(server.origin + path, { headers: { "PRIVATE-TOKEN": token } });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  await writeFile(file, await answer.bytes());
  const script = join(import.meta.dir, "support/bare-server.ts");
  return startMeasured([process.execPath, script, file, answer.headers.get("content-type") ?? ""]);
}

async function run({ scale }: { scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const seeding = await startMeasuredOutpost([], data);
  await createUsers(seeding.origin, Math.round(users * scale));
  const token = await createToken(seeding.origin, 2);
  await seeding[Symbol.asyncDispose]();
  // Each answers for itself, on a copy of the same store.
  const copy = join(folder.path, "copy");
  await cp(data, copy, { recursive: true });
  await using quiet = await startMeasuredOutpost(["--log-level", "warn"], data);
  await using logging = await startMeasuredOutpost(["--log-level", "info"], copy);
  for (const [caller, its] of Object.entries({ member: token, administrator: rootToken })) {
    const outpost = { server: quiet, token: its };
    const body = join(folder.path, `body-of-${caller}`);
    await using bare = await startBare(outpost, body);
    console.log(`with the token of a${caller === "member" ? "" : "n"} ${caller}, ${Bun.file(body).size} bytes`);
    await compare({ bare: { server: bare, token: its }, outpost, "outpost, logging": { server: logging, token: its } });
  }
  console.log(`load by ${generator}, ${connections} connections, ${Math.round(users * scale)} users`);
}

async function compare(rows: Readonly<Record<"bare" | "outpost" | "outpost, logging", Row>>): Promise<void> {
  // The first seconds of a server are those of its compiler.
  for (const row of Object.values(rows)) await measure(row);
  const rounds = await interleave(
    {
      bare: () => measure(rows.bare),
      outpost: () => measure(rows.outpost),
      "outpost, logging": () => measure(rows["outpost, logging"]),
    },
    (results) => results.bare.rate,
  );
  const { bare } = rounds.of;
  printTable(
    ["", "of bare", "requests/s", "p50 ms", "p99 ms", "CPU µs", "RSS MB"],
    Object.entries(rounds.of).map(([name, results]) => [
      name,
      digits(ratio(results, bare, ({ rate }) => rate)),
      digits(median(results.map(({ rate }) => rate))),
      digits(median(results.map(({ p50Ms }) => p50Ms))),
      digits(median(results.map(({ p99Ms }) => p99Ms))),
      digits(median(results.map(({ cpuMicros }) => cpuMicros))),
      digits(rows[name as keyof typeof rows].server.rssMb()),
    ]),
  );
  for (const name of ["outpost", "outpost, logging"] as const) {
    const rates = ratio(rounds.of[name], bare, ({ rate }) => rate);
    const tails = ratio(rounds.of[name], bare, ({ p99Ms }) => p99Ms);
    console.log(`  ${name}: rate ${verdict(rates, "at least", 0.4)}; p99 ${verdict(tails, "at most", 3, " times")}`);
  }
  console.log(`  ${calmness(rounds)}\n`);
}

export const bench: Bench = { title: `GET ${path} with a token beside a bare server of the same bytes`, run };
