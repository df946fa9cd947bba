import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { addTallies, describeTally, nothingRan, readFileTimes, readTally, type Tally } from "./support/checks/junit.ts";
import { executable } from "./support/process/outpost-process.ts";
import { createTempFolder } from "./support/process/temp-folder.ts";

const root = join(import.meta.dir, "..");
const bin = join(root, "node_modules/.bin");
/** The longest first, so that two at a time end together. */
const rooms = ["e2e", "contract", "unit", "clients"] as const;
/** A room seldom uses more than one core. Rooms share no folder and no port. */
const roomsAtATime = 2;
type Room = (typeof rooms)[number];

/** Rooms whose tests run the executable. */
const roomsOfExecutable: readonly Room[] = ["clients", "e2e"];
/** Long enough for a test that starts and kills a server many times; a hung one still ends. */
const testMsMax = 600_000;
const slowestShown = 10;

/** Parts of paths: only files with one of them are run, without type check and lint. */
const patterns = process.argv.slice(2);
const fileSeconds = new Map<string, number>();
const stepSeconds: (readonly [name: string, seconds: number])[] = [];

/** Runs a command with its output on this terminal, or in an open file. */
async function succeeds(command: readonly string[], output: "inherit" | number = "inherit"): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: root, env: testEnvironment(), stdio: ["ignore", output, output] });
  return (await child.exited) === 0;
}

/** Clients under test talk to this machine only, whatever proxy the shell knows. */
function testEnvironment(): Record<string, string | undefined> {
  return { ...process.env, NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
}

/** Prints how long a part of the run took, and keeps it for the summary. */
async function timed<R>(name: string, work: () => Promise<R>, describe: (result: R) => string): Promise<R> {
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  stepSeconds.push([name, seconds]);
  console.log(`${name}: ${describe(result)} in ${seconds.toFixed(1)} s`);
  return result;
}

/** A step that is no test counts only when it fails. */
async function step(name: string, command: readonly string[]): Promise<Tally> {
  const isFine = await timed(
    name,
    () => succeeds(command),
    (fine) => (fine ? "fine" : "FAILED"),
  );
  return isFine ? nothingRan : { ...nothingRan, failed: 1 };
}

function filesOf(room: Room): string[] {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync({ cwd: join(root, "test", room) })].sort();
  const paths = files.map((file) => `test/${room}/${file}`);
  return patterns.length === 0 ? paths : paths.filter((path) => patterns.some((pattern) => path.includes(pattern)));
}

/**
 * The wanted tests of a room. Prints their output in one piece at the end, as another room runs beside it. A run that breaks
 * outside a test, an import that fails say, counts as a failure.
 */
async function runRoom(room: Room, files: readonly string[]): Promise<Tally> {
  await using reports = await createTempFolder();
  const report = join(reports.path, "junit.xml");
  await using output = await open(join(reports.path, "output"), "w+");
  const command = [
    process.execPath,
    "test",
    ...(patterns.length === 0 ? [`./test/${room}/`] : files.map((file) => `./${file}`)),
    "--only-failures",
    `--timeout=${testMsMax}`,
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ];
  const isFine = await succeeds(command, output.fd);
  console.log(await readFile(join(reports.path, "output"), "utf8"));
  const junit = await readFile(report, "utf8").catch(() => "");
  for (const [file, seconds] of readFileTimes(junit)) fileSeconds.set(file, seconds);
  const tally = readTally(junit) ?? nothingRan;
  return isFine || tally.failed > 0 ? tally : { ...tally, failed: 1 };
}

function printTimes(): void {
  console.log(`times: ${stepSeconds.map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`).join(", ")}`);
  const slowest = [...fileSeconds].sort(([, one], [, other]) => other - one).slice(0, slowestShown);
  for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

async function run(): Promise<boolean> {
  let total = nothingRan;
  const add = (tally: Tally) => {
    total = addTallies(total, tally);
  };
  const wanted = rooms.map((room) => ({ room, files: filesOf(room) })).filter(({ files }) => files.length > 0);
  if (patterns.length === 0) {
    add(await step("type check", [join(bin, "tsc")]));
    add(await step("lint", [join(bin, "biome"), "check", "."]));
  }
  if (wanted.some(({ room }) => roomsOfExecutable.includes(room))) {
    add(await step("build", [process.execPath, "run", "build"]));
    console.log(`executable: ${(Bun.file(executable).size / 1e6).toFixed(1)} MB`);
  }
  const limit = pLimit(roomsAtATime);
  const runs = wanted.map(({ room, files }) =>
    limit(async () => {
      console.log(`${room}: ${files.length} files`);
      add(await timed(room, () => runRoom(room, files), describeTally));
    }),
  );
  await Promise.all(runs);
  printTimes();
  console.log(describeTally(total));
  return total.failed === 0 && total.passed > 0;
}

process.exit((await run()) ? 0 : 1);
