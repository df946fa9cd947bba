import { mkdir, open, readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { addTallies, describeTally, nothingRan, readFileTimes, readTally, type Tally } from "./support/checks/junit.ts";
import { divideIntoShards } from "./support/checks/shards.ts";
import { executable } from "./support/process/outpost-process.ts";
import { createTempFolder } from "./support/process/temp-folder.ts";

const root = join(import.meta.dir, "..");
const bin = join(root, "node_modules/.bin");
const rooms = ["unit", "contract", "clients", "e2e"] as const;
type Room = (typeof rooms)[number];

/** Rooms whose tests run the executable. */
const roomsOfExecutable: readonly Room[] = ["clients", "e2e"];
/** Long enough for a test that starts and kills a server many times; a hung one still ends. */
const testMsMax = 600_000;
const shardSeconds = 60;
const slowestShown = 20;
/** Seconds that each file took in the last run on this machine; it only decides what begins first. */
const timesFile = join(root, "node_modules/.cache/outpost/test-seconds.json");
/** For a file that no run has timed, in seconds. */
const unknownSeconds: Readonly<Record<Room, number>> = { unit: 2, contract: 4, clients: 4, e2e: 15 };

/** Parts of paths: only files with one of them are run, without type check and lint. */
const patterns = process.argv.slice(2);

/** A process that the run needs. It begins when a place is free and the executable is there, the longest first. */
interface Task {
  readonly name: string;
  readonly seconds: number;
  readonly needsExecutable: boolean;
  readonly run: () => Promise<Tally>;
}

/** Runs a command, and prints its output in one piece at the end, as others run beside it. */
async function runCommand(command: readonly string[]): Promise<boolean> {
  await using folder = await createTempFolder();
  const path = join(folder.path, "output");
  await using output = await open(path, "w+");
  // Clients under test talk to this machine only, whatever proxy the shell knows.
  const env = { ...process.env, NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
  const child = Bun.spawn([...command], { cwd: root, env, stdio: ["ignore", output.fd, output.fd] });
  const isFine = (await child.exited) === 0;
  process.stdout.write(await readFile(path, "utf8"));
  return isFine;
}

/** A step that is no test counts only when it fails. */
function step(name: string, command: readonly string[], seconds: number): Task {
  const run = async () => ((await runCommand(command)) ? nothingRan : { ...nothingRan, failed: 1 });
  return { name, seconds, needsExecutable: false, run };
}

function filesOf(room: Room): string[] {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync({ cwd: join(root, "test", room) })].sort();
  const paths = files.map((file) => `test/${room}/${file}`);
  return patterns.length === 0 ? paths : paths.filter((path) => patterns.some((pattern) => path.includes(pattern)));
}

/** Runs test files in a process. A run that breaks outside a test, an import that fails say, counts as a failure. */
async function runTests(files: readonly string[], fileSeconds: Map<string, number>): Promise<Tally> {
  await using folder = await createTempFolder();
  const report = join(folder.path, "junit.xml");
  const isFine = await runCommand([
    ...[process.execPath, "test", ...files.map((file) => `./${file}`), "--only-failures", `--timeout=${testMsMax}`],
    ...["--reporter=junit", `--reporter-outfile=${report}`],
  ]);
  const junit = await readFile(report, "utf8").catch(() => "");
  for (const [file, seconds] of readFileTimes(junit)) fileSeconds.set(file, seconds);
  const tally = readTally(junit) ?? nothingRan;
  return isFine || tally.failed > 0 ? tally : { ...tally, failed: 1 };
}

/** The test files of a room as tasks of about `shardSeconds` each. */
function testTasks(room: Room, fileSeconds: Map<string, number>): Task[] {
  const files = filesOf(room);
  const secondsOf = (file: string) => fileSeconds.get(file) ?? unknownSeconds[room];
  return divideIntoShards(files, secondsOf, shardSeconds).map((shard, place, { length }) => ({
    name: `${room} ${place + 1}/${length}`,
    seconds: shard.seconds,
    needsExecutable: roomsOfExecutable.includes(room),
    run: () => runTests(shard.files, fileSeconds),
  }));
}

/** Runs all tasks, as many at a time as there are processors, and adds up their tallies. */
async function runAll(tasks: readonly Task[], build: Task | undefined): Promise<Tally> {
  let total = nothingRan;
  const waiting = [...tasks].sort((one, other) => other.seconds - one.seconds);
  const timed = async ({ name, run }: Task) => {
    const startedMs = performance.now();
    const tally = await run();
    console.log(`${name}: ${describeTally(tally)} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    total = addTallies(total, tally);
  };
  let isBuilt = build === undefined;
  const buildFirst = async () => {
    if (build !== undefined) await timed(build);
    isBuilt = true;
  };
  const built = buildFirst();
  const takeTasks = async () => {
    while (waiting.length > 0) {
      const next = waiting.findIndex((task) => isBuilt || !task.needsExecutable);
      if (next < 0) await built;
      else await timed(waiting.splice(next, 1)[0] as Task);
    }
  };
  const places = [built.then(takeTasks)];
  while (places.length < Math.max(2, cpus().length)) places.push(takeTasks());
  await Promise.all(places);
  return total;
}

async function readSeconds(): Promise<Map<string, number>> {
  const text = await readFile(timesFile, "utf8").catch(() => "{}");
  return new Map(Object.entries(JSON.parse(text) as Record<string, number>));
}

async function run(): Promise<boolean> {
  const startedMs = performance.now();
  const fileSeconds = await readSeconds();
  const tests = rooms.flatMap((room) => testTasks(room, fileSeconds));
  const checks =
    patterns.length > 0
      ? []
      : [step("type check", [join(bin, "tsc")], 30), step("lint", [join(bin, "biome"), "check", "."], 20)];
  const build = tests.some(({ needsExecutable }) => needsExecutable)
    ? step("build", [process.execPath, "run", "build"], 20)
    : undefined;
  const total = await runAll([...tests, ...checks], build);
  await mkdir(dirname(timesFile), { recursive: true });
  await Bun.write(timesFile, JSON.stringify(Object.fromEntries(fileSeconds), null, 2));
  if (build !== undefined) console.log(`executable: ${(Bun.file(executable).size / 1e6).toFixed(1)} MB`);
  const slowest = [...fileSeconds].sort(([, one], [, other]) => other - one).slice(0, slowestShown);
  for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  console.log(describeTally(total));
  return total.failed === 0 && total.passed > 0;
}

process.exit((await run()) ? 0 : 1);
