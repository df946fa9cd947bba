import { join } from "node:path";
import { createTempFolder } from "../support/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { type MeasuredProcess, startMeasured } from "./support/measured-process.ts";
import { startMeasuredInMemory, startMeasuredOutpost } from "./support/outpost.ts";

/** Starts are short and scatter, so that a round is the median of several. */
const startsOfRound = 7;
/** The time in which the rest of the start, such as hashing root's password, ends. */
const restMs = 1_000;

interface Measured {
  readonly firstAnswerMs: number;
  readonly rssMb: number;
  readonly restedRssMb: number;
  readonly peakRssMb: number;
}

async function measureOnce(start: () => Promise<MeasuredProcess>, rests: boolean): Promise<Measured> {
  const startedMs = performance.now();
  await using server = await start();
  const answer = await fetch(`${server.origin}/-/health`);
  const firstAnswerMs = performance.now() - startedMs;
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  const rssMb = server.rssMb();
  if (rests) await Bun.sleep(restMs);
  return { firstAnswerMs, rssMb, restedRssMb: rests ? server.rssMb() : Number.NaN, peakRssMb: server.peakRssMb() };
}

async function measure(start: () => Promise<MeasuredProcess>): Promise<Measured> {
  const starts: Measured[] = [];
  for (let count = 1; count < startsOfRound; count += 1) starts.push(await measureOnce(start, false));
  const rested = await measureOnce(start, true);
  return { ...rested, firstAnswerMs: median([...starts, rested].map(({ firstAnswerMs }) => firstAnswerMs)) };
}

async function buildHello(folder: string): Promise<string> {
  const outfile = join(folder, "hello");
  await Bun.build({
    entrypoints: [join(import.meta.dir, "support/hello.ts")],
    target: "bun",
    compile: { outfile },
    throw: true,
  });
  return outfile;
}

async function run(): Promise<void> {
  await using folder = await createTempFolder();
  const hello = await buildHello(folder.path);
  const starts = {
    hello: () => startMeasured([hello]),
    outpost: () => startMeasuredOutpost(),
    "outpost --memory": () => startMeasuredInMemory(),
  };
  // The first start of a file reads it from the disk.
  for (const start of Object.values(starts)) await measureOnce(start, false);
  const rounds = await interleave(
    {
      hello: () => measure(starts.hello),
      outpost: () => measure(starts.outpost),
      "outpost --memory": () => measure(starts["outpost --memory"]),
    },
    ({ hello: { firstAnswerMs } }) => firstAnswerMs,
  );
  const of = (results: readonly Measured[], value: (measured: Measured) => number) =>
    digits(median(results.map(value)));
  printTable(
    ["", "of hello", "first answer ms", "RSS MB then", "a second later", "at most"],
    Object.entries(rounds.of).map(([name, results]) => [
      name,
      digits(ratio(results, rounds.of.hello, ({ firstAnswerMs }) => firstAnswerMs)),
      of(results, ({ firstAnswerMs }) => firstAnswerMs),
      of(results, ({ rssMb }) => rssMb),
      of(results, ({ restedRssMb }) => restedRssMb),
      of(results, ({ peakRssMb }) => peakRssMb),
    ]),
  );
  const { outpost } = rounds.of;
  const slower = ratio(outpost, rounds.of.hello, ({ firstAnswerMs }) => firstAnswerMs);
  console.log(`  start: ${verdict(slower, "at most", 2.5, " times")}`);
  const inMemory = ratio(rounds.of["outpost --memory"], outpost, ({ firstAnswerMs }) => firstAnswerMs);
  console.log(`  start with --memory: ${verdict(inMemory, "at most", 1.2, " times an empty start")}`);
  console.log(`  memory: ${verdict(median(outpost.map(({ restedRssMb }) => restedRssMb)), "at most", 70, " MB")}`);
  console.log(`  ${calmness(rounds)}`);
}

export const bench: Bench = {
  title: "start of the executable on an empty folder beside a compiled Elysia hello without bytecode",
  run,
};
