import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { createUsers, seedStore, startMeasuredInMemory, startMeasuredOutpost } from "./support/outpost.ts";

/** Starts are short and scatter, so that a round is the median of several. */
const startsOfRound = 7;
/** The time in which the rest of the start, such as hashing root's password, ends. */
const restMs = 1_000;
/** Users whose creation only the journal has when the server is killed. */
const killedUsers = 3_000;
/** The scale of a seed of some 200,000 documents. */
const largeSeed = 100;

interface Start {
  /** Runs before each start, and does not count. */
  readonly prepare?: () => Promise<void>;
  readonly start: () => Promise<MeasuredProcess>;
}

interface Measured {
  readonly firstAnswerMs: number;
  readonly rssMb: number;
  readonly restedRssMb: number;
  readonly peakRssMb: number;
}

async function measureOnce({ prepare, start }: Start, rests: boolean): Promise<Measured> {
  await prepare?.();
  const startedMs = performance.now();
  await using server = await start();
  const answer = await fetch(`${server.origin}/-/health`);
  const firstAnswerMs = performance.now() - startedMs;
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  const rssMb = server.rssMb();
  if (rests) await Bun.sleep(restMs);
  return { firstAnswerMs, rssMb, restedRssMb: rests ? server.rssMb() : Number.NaN, peakRssMb: server.peakRssMb() };
}

async function measure(start: Start): Promise<Measured> {
  const starts: Measured[] = [];
  for (let count = 1; count < startsOfRound; count += 1) starts.push(await measureOnce(start, false));
  const rested = await measureOnce(start, true);
  return { ...rested, firstAnswerMs: median([...starts, rested].map(({ firstAnswerMs }) => firstAnswerMs)) };
}

/** An Elysia server without a store, built as the executable is. */
async function buildHello(folder: string): Promise<string> {
  const outfile = join(folder, "hello");
  await Bun.build({
    entrypoints: [join(import.meta.dir, "support/peers/hello.ts")],
    target: "bun",
    bytecode: true,
    format: "esm",
    minify: { whitespace: true, syntax: true },
    compile: { outfile },
    throw: true,
  });
  return outfile;
}

async function seed(folder: string, scale: number): Promise<string> {
  await seedStore(folder, scale);
  return folder;
}

/** A store whose server was killed after some thousand changes; each start gets a copy of it. */
async function killAfterChanges(folder: string): Promise<string> {
  await using server = await startMeasuredOutpost([], folder);
  await createUsers(server.origin, killedUsers);
  return folder;
}

/** Starts on a new copy each time: the first start after a kill changes the store. */
function ofCopy(folder: string, copy: string): Start {
  return {
    async prepare() {
      await rm(copy, { recursive: true, force: true });
      await cp(folder, copy, { recursive: true });
    },
    start: () => startMeasuredOutpost([], copy),
  };
}

async function run({ scale }: { scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  const at = (name: string) => join(folder.path, name);
  const hello = await buildHello(folder.path);
  const small = await seed(at("small"), 1);
  const large = await seed(at("large"), Math.round(largeSeed * scale));
  const killed = await killAfterChanges(at("killed"));
  const stopped = at("stopped");
  await cp(killed, stopped, { recursive: true });
  await (await startMeasuredOutpost([], stopped)).stop();
  const second = at("second");
  await (await startMeasuredOutpost([], second)).stop();
  const starts = {
    hello: { start: () => startMeasured([hello]) },
    "empty folder": { start: () => startMeasuredOutpost() },
    "in memory": { start: () => startMeasuredInMemory() },
    "second start": { start: () => startMeasuredOutpost([], second) },
    "2,000 documents": { start: () => startMeasuredOutpost([], small) },
    "200,000 documents": { start: () => startMeasuredOutpost([], large) },
    "after a clean stop": ofCopy(stopped, at("copy")),
    "after kill -9": ofCopy(killed, at("copy")),
  } satisfies Record<string, Start>;
  type Row = keyof typeof starts;
  const names = Object.keys(starts) as Row[];
  // The first start of a file reads it from the disk.
  for (const name of names) await measureOnce(starts[name], false);
  const measures = Object.fromEntries(names.map((name) => [name, () => measure(starts[name])]));
  const rounds = await interleave(
    measures as Record<Row, () => Promise<Measured>>,
    (results) => results.hello.firstAnswerMs,
  );
  const of = (name: Row, value: (measured: Measured) => number) => digits(median(rounds.of[name].map(value)));
  const times = (name: Row, other: Row) =>
    ratio(rounds.of[name], rounds.of[other], ({ firstAnswerMs }) => firstAnswerMs);
  printTable(
    ["", "of hello", "of empty", "first answer ms", "RSS MB then", "a second later", "at most"],
    names.map((name) => [
      name,
      digits(times(name, "hello")),
      digits(times(name, "empty folder")),
      of(name, ({ firstAnswerMs }) => firstAnswerMs),
      of(name, ({ rssMb }) => rssMb),
      of(name, ({ restedRssMb }) => restedRssMb),
      of(name, ({ peakRssMb }) => peakRssMb),
    ]),
  );
  const parse = await parseMs(large);
  console.log(`  empty folder: ${verdict(times("empty folder", "hello"), "at most", 4, " times hello")}`);
  console.log(`  in memory: ${verdict(times("in memory", "empty folder"), "at most", 1.2, " times empty")}`);
  console.log(
    `  2,000 documents: ${verdict(times("2,000 documents", "empty folder"), "at most", 1.3, " times empty")}`,
  );
  const largeMs = median(rounds.of["200,000 documents"].map(({ firstAnswerMs }) => firstAnswerMs));
  console.log(
    `  200,000 documents: ${verdict(largeMs / parse, "at most", 2, " times reading and parsing the same bytes")}`,
  );
  console.log(
    `  after kill -9: ${verdict(times("after kill -9", "after a clean stop"), "at most", 1.5, " times a clean start")}`,
  );
  console.log(`  ${calmness(rounds)}`);
}

/** Milliseconds to read and parse every file of documents of a store, in this process. */
async function parseMs(folder: string): Promise<number> {
  const files = [...new Bun.Glob("generations/*/documents/*/*.json").scanSync(folder)];
  const startedMs = performance.now();
  for (const file of files) await Bun.file(join(folder, file)).json();
  return performance.now() - startedMs;
}

export const bench: Bench = {
  title: "starts of the executable beside a compiled Elysia hello with bytecode",
  run,
};
