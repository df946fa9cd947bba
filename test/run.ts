import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addTallies, describeTally, nothingRan, readTally, type Tally } from "./support/junit.ts";
import { executable } from "./support/outpost-process.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const root = join(import.meta.dir, "..");
const bin = join(root, "node_modules/.bin");
const rooms = ["unit", "contract", "clients", "e2e"] as const;

/** Long enough for a test that starts and kills a server many times; a hung one still ends. */
const testMsMax = 600_000;

/** Runs a command with its output on this terminal. */
async function succeeds(command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: root, env: testEnvironment(), stdio: ["ignore", "inherit", "inherit"] });
  return (await child.exited) === 0;
}

/** Clients under test talk to this machine only, whatever proxy the shell knows. */
function testEnvironment(): Record<string, string | undefined> {
  return { ...process.env, NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
}

/** A step that is no test: says how long it took, and counts only when it fails. */
async function step(name: string, command: readonly string[]): Promise<Tally> {
  const startedMs = performance.now();
  const isFine = await succeeds(command);
  const tookS = ((performance.now() - startedMs) / 1000).toFixed(2);
  console.log(`${name}: ${isFine ? "fine" : "FAILED"} in ${tookS} s`);
  return isFine ? nothingRan : { ...nothingRan, failed: 1 };
}

/** All tests of a room. A run that breaks outside a test, an import that fails say, counts as a failure. */
async function runRoom(room: (typeof rooms)[number]): Promise<Tally> {
  const folder = `test/${room}`;
  if ([...new Bun.Glob("**/*.test.ts").scanSync({ cwd: join(root, folder) })].length === 0) {
    console.log(`${room}: no tests`);
    return nothingRan;
  }
  await using reports = await createTempFolder();
  const report = join(reports.path, "junit.xml");
  const isFine = await succeeds([
    process.execPath,
    "test",
    `./${folder}/`,
    "--only-failures",
    `--timeout=${testMsMax}`,
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ]);
  const tally = readTally(await readFile(report, "utf8").catch(() => "")) ?? nothingRan;
  const counted = isFine || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  console.log(`${room}: ${describeTally(counted)}`);
  return counted;
}

async function run(): Promise<boolean> {
  let total = await step("type check", [join(bin, "tsc"), "--noEmit"]);
  total = addTallies(total, await step("lint", [join(bin, "biome"), "check", "."]));
  total = addTallies(total, await step("build", [process.execPath, "run", "build"]));
  console.log(`executable: ${(Bun.file(executable).size / 1e6).toFixed(1)} MB`);
  for (const room of rooms) total = addTallies(total, await runRoom(room));
  console.log(describeTally(total));
  return total.failed === 0 && total.passed > 0;
}

process.exit((await run()) ? 0 : 1);
