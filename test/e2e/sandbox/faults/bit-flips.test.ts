import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, StartError } from "../../../../src/domain/start-error.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { documentsAfter, journalLines } from "../../../support/disk/journal-bytes.ts";
import {
  type Documents,
  differenceFrom,
  documentsOfStore,
  openKeptStore,
  problemOf,
} from "../../../support/disk/kept-store.ts";
import { type MemoryDisk, readIntoMemory } from "../../../support/disk/memory-disk.ts";
import { createUser, knownCredentials, listUsers, Writers } from "../../../support/process/fault-client.ts";
import { runOutpost, startOutpost } from "../../../support/process/outpost-process.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const journalName = "generations/0001/journal/00000001.log";
const flipsInProcess = 1_000;
const flipsAsProcess = 40;
/** Of the zeros behind the last line so much is hit too. */
const zerosHit = 2_000;
/** More audit events than one segment of a log holds, so that the first one is sealed. */
const writesUntilSealed = 1_030;

const folder = await createTempFolder();
afterAll(() => folder.remove());
const random = createRandom();

interface Flip {
  /** Absolute. */
  readonly path: string;
  readonly place: number;
  readonly bit: number;
}

/** A killed server's folder with segments and, behind them, transactions that only the journal has. */
interface KilledStore {
  readonly folder: string;
  readonly disk: MemoryDisk;
  readonly documents: Documents;
  readonly users: ReadonlyMap<number, string>;
  /** The start and end of the mark behind the last line of the journal. */
  readonly mark: { readonly start: number; readonly end: number };
}

let killed: KilledStore;

beforeAll(async () => {
  const path = join(folder.path, "killed");
  const first = await startOutpost({ env: knownCredentials, dataFolder: path });
  for (let turn = 0; turn < 20; turn += 1) await createUser(first.origin, `early${turn}`);
  await first.stop();
  const second = await startOutpost({ dataFolder: path });
  for (let turn = 0; turn < 20; turn += 1) await createUser(second.origin, `late${turn}`);
  const users = await listUsers(second.origin);
  await second.kill();
  const disk = await readIntoMemory(path);
  const lines = journalLines(disk.read(join(path, journalName)));
  const { start = 0, end = 0 } = lines.at(-1) ?? {};
  killed = { folder: path, disk, documents: documentsAfter(lines), users, mark: { start, end } };
  // The journal is still the first file, so that what it holds is all there is.
  expect(users.size).toBe(40);
  expect(lines.at(-1)?.changes).toBeUndefined();
});

function flipped(disk: MemoryDisk, { path, place, bit }: Flip): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(disk.read(path));
  bytes[place] = (bytes[place] as number) ^ (1 << bit);
  return bytes;
}

/** Half of them in the journal, some of these behind its lines, and the others in the segments, by their sizes. */
function drawFlip(turn: number): Flip {
  const bit = random.integer(0, 7);
  const journal = join(killed.folder, journalName);
  const from = turn % 100 === 0 ? killed.mark.start : 0;
  if (turn % 2 === 0) return { path: journal, place: random.integer(from, killed.mark.end + zerosHit - 1), bit };
  const segments = [...killed.disk.files].filter(([path]) => /\/(documents|logs)\//.test(path));
  let place = random.integer(0, segments.reduce((sum, [, { byteLength }]) => sum + byteLength, 0) - 1);
  for (const [path, { byteLength }] of segments) {
    if (place < byteLength) return { path, place, bit };
    place -= byteLength;
  }
  throw new Error("no segments");
}

/** Nobody was told of anything that is only in the mark behind the last line, nor in the zeros after it. */
function mayStayUnseen({ path, place }: Flip): boolean {
  return path.endsWith(journalName) && place >= killed.mark.start;
}

/** Whether a refusal names the file, and no byte behind the damage. */
function namesPlace(message: string, { path, place }: Flip): boolean {
  const offset = new RegExp(`${RegExp.escape(path)} at byte (\\d+): `).exec(message)?.[1];
  return offset !== undefined && Number(offset) <= place;
}

describe("a store with one flipped bit", () => {
  test(`is refused with file and offset, or has lost nothing: ${flipsInProcess} places`, async () => {
    const faults: string[] = [];
    let [refused, opened] = [0, 0];
    for (let turn = 0; turn < flipsInProcess; turn += 1) {
      const flip = drawFlip(turn);
      const where = `TEST_SEED=${random.seed}, bit ${flip.bit} of byte ${flip.place} of ${flip.path}`;
      const disk = killed.disk.copy({ [flip.path]: flipped(killed.disk, flip) });
      try {
        const { store } = await openKeptStore(disk, killed.folder);
        opened += 1;
        const difference = differenceFrom(killed.documents, store);
        await store.close();
        if (difference !== undefined) faults.push(`${where}: ${difference}`);
        if (!mayStayUnseen(flip)) faults.push(`${where}: not noticed`);
      } catch (error) {
        refused += 1;
        const isNamed = error instanceof StartError && error.exitCode === exitCodes.damaged;
        if (!isNamed || !namesPlace(error.message, flip)) faults.push(`${where}: ${error}`);
      }
    }
    expect(faults).toEqual([]);
    expect(refused).toBeGreaterThan(flipsInProcess / 2);
    expect(opened).toBeGreaterThan(0);
  }, 600_000);

  test("in its manifest, is refused or has lost nothing: every bit", async () => {
    const path = join(killed.folder, "manifest.json");
    const faults: string[] = [];
    for (let at = 0; at < killed.disk.read(path).byteLength * 8; at += 1) {
      const flip = { path, place: at >> 3, bit: at & 7 };
      const disk = killed.disk.copy({ [path]: flipped(killed.disk, flip) });
      try {
        const { store } = await openKeptStore(disk, killed.folder);
        const difference = differenceFrom(killed.documents, store);
        await store.close();
        if (difference !== undefined) faults.push(`bit ${flip.bit} of byte ${flip.place}: ${difference}`);
      } catch (error) {
        if (!(error instanceof StartError)) faults.push(`bit ${flip.bit} of byte ${flip.place}: ${error}`);
      }
    }
    expect(faults).toEqual([]);
  }, 600_000);

  test(`is refused by the executable with exit code 3, or served whole: ${flipsAsProcess} places`, async () => {
    const queue = Array.from({ length: flipsAsProcess }, (_, turn) => [turn, drawFlip(turn)] as const).values();
    const check = async () => {
      for (const [turn, flip] of queue) await checkProcess(flip, join(folder.path, `copy-${turn}`));
    };
    await Promise.all([check(), check()]);
  }, 600_000);
});

async function checkProcess(flip: Flip, dataFolder: string): Promise<void> {
  await cp(killed.folder, dataFolder, { recursive: true });
  const path = flip.path.replace(killed.folder, dataFolder);
  await writeFile(path, flipped(killed.disk, flip));
  const args = ["--port", "0", "--data", dataFolder, "--log-format", "json"];
  try {
    if (mayStayUnseen(flip)) {
      await using outpost = await startOutpost({ dataFolder, args: ["--log-format", "json"] });
      expect([...(await listUsers(outpost.origin))]).toEqual([...killed.users]);
      expect((await outpost.kill()).stderr.split('"level":"warn"').length - 1).toBe(1);
      return;
    }
    const { exitCode, stdout, stderr } = await runOutpost(["serve", ...args]);
    expect(exitCode).toBe(exitCodes.damaged);
    expect(stdout).toBe("");
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBe(2);
    expect(namesPlace(lines[0] as string, { ...flip, path })).toBe(true);
    expect(lines[1]).toStartWith("try: outpost check");
    // The refusal changed nothing.
    expect(new Uint8Array(await readFile(path))).toEqual(flipped(killed.disk, flip));
  } catch (error) {
    throw new Error(`TEST_SEED=${random.seed}, bit ${flip.bit} of byte ${flip.place} of ${flip.path}`, {
      cause: error,
    });
  }
}

test("one flipped bit in a sealed log is found at the start or when its entry is read, and no other entry is affected", async () => {
  const path = join(folder.path, "sealed");
  const first = await startOutpost({ env: knownCredentials, dataFolder: path, args: ["--log-level", "warn"] });
  const writers = new Writers(first.origin, "w");
  await writers.acknowledgedAtLeast(writesUntilSealed);
  await writers.stop();
  await first.stop();
  const disk = await readIntoMemory(path);
  const logs = join(path, "generations/0001/logs/audit-events");
  const files = ["000000.json", "000000.index.json"].map((name) => join(logs, name));
  const whole = await openKeptStore(disk.copy(), path);
  const documents = documentsOfStore(whole.store);
  await whole.store.close();
  const faults: string[] = [];
  let [refused, unreadable, unseen] = [0, 0, 0];
  for (let turn = 0; turn < 60; turn += 1) {
    const flipPath = files[turn % 2] as string;
    const place = random.integer(0, disk.read(flipPath).byteLength - 1);
    const flip = { path: flipPath, place, bit: random.integer(0, 7) };
    const where = `TEST_SEED=${random.seed}, bit ${flip.bit} of byte ${flip.place} of ${flip.path}`;
    try {
      const { store } = await openKeptStore(disk.copy({ [flipPath]: flipped(disk, flip) }), path);
      const problems = [...documents].flatMap(([key, document]) => problemOf(store, key, document));
      const wrong = problems.filter((problem) => !namesPlace(problem, flip));
      if (wrong.length > 0) faults.push(`${where}: ${wrong[0]}`);
      if (problems.length > 1) faults.push(`${where}: ${problems.length} entries cannot be read`);
      if (problems.length === 0) unseen += 1;
      else unreadable += 1;
      await store.close();
    } catch (error) {
      refused += 1;
      if (!(error instanceof StartError) || !namesPlace(error.message, flip)) faults.push(`${where}: ${error}`);
    }
  }
  expect(faults).toEqual([]);
  expect(refused).toBeGreaterThanOrEqual(30);
  expect(unreadable).toBeGreaterThan(0);
  // Between two entries there are a few bytes that nobody reads.
  expect(unseen).toBeLessThan(10);
}, 600_000);
