import { expect, test } from "bun:test";
import { exitCodes, StartError } from "../../../../src/domain/start-error.ts";
import type { Log } from "../../../../src/lib/log.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { Journal } from "../../../../src/store/journal/journal.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { until } from "../../../support/process/fault-client.ts";
import { countOf, dataFolder, openSample, partsFolder, type State, stateOf } from "../sample-store.ts";
import { abandon, Ledger } from "./ledger.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const journalFolder = `${partsFolder}/journal`;
const firstFile = `${journalFolder}/00000001.log`;

/** A killed store with so many transactions, each acknowledged alone; its segments as of `checkpointAfter`. */
async function killedStore(transactions: number, { checkpointAfter = 0, journalFileBytes = 8192 } = {}) {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, { journalFileBytes });
  for (let n = 1; n <= transactions; n += 1) {
    await ledger.commit(store, [{ kind: "put", id: n % 7 === 0 ? 2000 + n : n, team: n }]);
    if (n === checkpointAfter) await store.checkpoint();
  }
  expect(ledger.acknowledged).toBe(transactions);
  const killed = disk.afterKill();
  await store.close();
  return { killed, ledger };
}

async function openedState(disk: SimulatedDisk, log: Log = silentLog): Promise<State> {
  const store = await openSample(disk, { log });
  const state = stateOf(store);
  await abandon(store);
  return state;
}

async function refusal(disk: SimulatedDisk): Promise<StartError> {
  try {
    await abandon(await openSample(disk));
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("the store opened");
}

/** Offsets of the line feeds of a journal file. */
function lineEnds(bytes: Uint8Array): number[] {
  return [...bytes.keys()].filter((at) => bytes[at] === 10);
}

/** The number of whole transactions before `end`. */
function transactionsBefore(bytes: Uint8Array, end: number): number {
  return (
    Buffer.from(bytes.subarray(0, end))
      .toString("latin1")
      .match(/\n.{9}\{"t":/g)?.length ?? 0
  );
}

for (const [rest, cutAt] of [
  ["nothing", (bytes: Uint8Array, at: number) => bytes.slice(0, at)],
  [
    "zeros",
    (bytes: Uint8Array, at: number) =>
      new Uint8Array(bytes.byteLength).fill(0).map((_, i) => (i < at ? (bytes[i] as number) : 0)),
  ],
  [
    "garbage",
    (bytes: Uint8Array, at: number) => {
      const random = createRandom(seed + at);
      return Uint8Array.from(bytes, (byte, i) => (i < at || i > at + 2000 ? byte : random.integer(0, 255)));
    },
  ],
] as const) {
  test(`a journal that ends at any byte of its last lines, with ${rest} behind it, opens without the torn line only`, async () => {
    const { killed, ledger } = await killedStore(8);
    const whole = killed.content(firstFile);
    const ends = lineEnds(whole);
    const from = (ends.at(-7) as number) + 1;
    const to = (ends.at(-1) as number) + 1;
    for (let at = from; at <= to; at += 1) {
      const disk = killed.afterKill();
      const cut = cutAt(whole, at);
      disk.damage(firstFile, cut);
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (_: object, message: string) => warnings.push(message) };
      const state = await openedState(disk, log);
      const left = ends.filter((end) => end < at).at(-1) as number;
      expect(state).toEqual(ledger.states[transactionsBefore(whole, left + 1)] as State);
      const isTorn = cut.subarray(left + 1).some((byte) => byte !== 0);
      expect(warnings).toEqual(isTorn ? ["removed an unfinished line that no request had been answered for"] : []);
    }
  });
}

test("after a torn end was cut off, the store continues and opens again", async () => {
  const { killed, ledger } = await killedStore(6);
  const whole = killed.content(firstFile);
  const cut = (lineEnds(whole).at(-1) as number) - 60;
  killed.damage(
    firstFile,
    Uint8Array.from(whole, (byte, at) => (at < cut ? byte : at % 256)),
  );
  const store = await openSample(killed);
  const onward = new Ledger(stateOf(store));
  expect(countOf(onward.last)).toBe(5);
  expect(onward.last).toEqual(ledger.states[5] as State);
  await onward.commit(store, [{ kind: "put", id: 99, team: 1 }]);
  expect(await openedState(killed.afterPowerLoss(seed))).toEqual(onward.last);
  await store.close();
  expect(await openedState(killed)).toEqual(onward.last);
});

test("a whole line behind a torn one never comes back, when a new line of the same length takes the torn one's place", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, { journalFileBytes: 8192 });
  await Promise.all([11, 12, 13].map((id) => ledger.commit(store, [{ kind: "put", id, team: 5 }])));
  const torn = disk.afterKill();
  await store.close();
  const bytes = torn.content(firstFile);
  const ends = lineEnds(bytes);
  // The second of three lines is torn, the mark behind them never made it.
  bytes[(ends[1] as number) + 3] = 0;
  bytes.fill(0, (ends[3] as number) + 1);
  torn.damage(firstFile, bytes);
  const reopened = await openSample(torn);
  const onward = new Ledger(stateOf(reopened));
  expect(countOf(onward.last)).toBe(1);
  // Killed between the write and its sync, so that nothing but the new line is written.
  torn.holdSyncs();
  onward.change(reopened, [{ kind: "put", id: 14, team: 5 }]);
  while (torn.heldSyncs === 0) await new Promise(setImmediate);
  const after = torn.afterKill();
  torn.releaseSyncs();
  await abandon(reopened);
  expect(await openedState(after)).toEqual(onward.last);
});

test(`one flipped bit at any of 2,000 places is refused with file and offset, or changes nothing (seed ${seed})`, async () => {
  const { killed, ledger } = await killedStore(24, { checkpointAfter: 9, journalFileBytes: 4096 });
  const journals = killed
    .names(journalFolder)
    .filter((name) => /^\d/.test(name))
    .map((name) => `${journalFolder}/${name}`);
  const segments = killed
    .names(`${partsFolder}/documents`)
    .flatMap((name) =>
      killed.names(`${partsFolder}/documents/${name}`).map((file) => `${partsFolder}/documents/${name}/${file}`),
    );
  expect(journals.length).toBeGreaterThan(1);
  expect(segments.length).toBeGreaterThan(4);
  const random = createRandom(seed);
  let refused = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const files = n % 3 === 0 ? segments : journals;
    const path = files[random.integer(0, files.length - 1)] as string;
    const bytes = killed.content(path);
    const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
    const at = random.integer(0, (n % 10 === 0 ? bytes.byteLength : used) - 1);
    const bit = random.integer(0, 7);
    const disk = killed.afterKill();
    bytes[at] = (bytes[at] as number) ^ (1 << bit);
    disk.damage(path, bytes);
    const place = `${path} at ${at}, bit ${bit}`;
    let state: State;
    try {
      state = await openedState(disk);
    } catch (error) {
      if (!(error instanceof StartError)) throw new Error(`${place}: ${error}`, { cause: error });
      refused += 1;
      expect(error.exitCode).toBe(exitCodes.damaged);
      expect(error.message).toContain(path);
      expect(error.message).toContain("at byte ");
      continue;
    }
    if (!Bun.deepEquals(state, ledger.last)) throw new Error(`${place}: opened with ${countOf(state)} transactions`);
  }
  expect(refused).toBeGreaterThan(1_000);
}, 600_000);

test("every bit of the line feeds is guarded: a line that merges with the mark behind it does not count as torn", async () => {
  const { killed } = await killedStore(3);
  const whole = killed.content(firstFile);
  // The last line feed is the mark's own; the one before it ends the last transaction.
  const at = lineEnds(whole).at(-2) as number;
  for (let bit = 0; bit < 8; bit += 1) {
    const disk = killed.afterKill();
    const bytes = whole.slice();
    bytes[at] = 10 ^ (1 << bit);
    disk.damage(firstFile, bytes);
    expect((await refusal(disk)).message).toContain("transaction 3 was synced");
  }
});

test("a missing journal file in the middle is refused", async () => {
  const { killed } = await killedStore(40, { journalFileBytes: 4096 });
  const names = killed.names(journalFolder).filter((name) => /^\d/.test(name));
  expect(names.length).toBeGreaterThan(3);
  killed.remove(`${journalFolder}/${names[1]}`);
  const error = await refusal(killed);
  expect(error.message).toMatch(new RegExp(`${names[2]} at byte 0: it begins with transaction \\d+ instead of \\d+`));
  expect(error.exitCode).toBe(exitCodes.damaged);
});

test("a missing line in the middle of a file is refused", async () => {
  const { killed } = await killedStore(9);
  const whole = killed.content(firstFile);
  const ends = lineEnds(whole);
  // Line 0 is the header, then a transaction and a mark in turn.
  const [start, end] = [(ends[4] as number) + 1, (ends[5] as number) + 1];
  killed.damage(firstFile, new Uint8Array([...whole.subarray(0, start), ...whole.subarray(end)]));
  expect((await refusal(killed)).message).toMatch(
    /00000001\.log at byte \d+: transaction 3 is missing although it was synced/,
  );
});

test("a journal file of another store is refused", async () => {
  const { killed } = await killedStore(3);
  const { killed: other } = await killedStore(3);
  killed.damage(firstFile, other.content(firstFile));
  expect((await refusal(killed)).message).toContain("it belongs to store");
});

test("a missing journal is noticed by the segments that are ahead of it", async () => {
  const { killed } = await killedStore(9, { checkpointAfter: 9 });
  killed.remove(firstFile);
  expect((await refusal(killed)).message).toContain("it holds transaction 9, the journal ends with 0");
});

test("a journal without a manifest is no new store", async () => {
  const { killed } = await killedStore(3);
  killed.remove(`${dataFolder}/manifest.json`);
  expect((await refusal(killed)).message).toContain("manifest.json: it is missing");
});

test("empty files at the end, full of zeros, short or without a byte, are used again", async () => {
  const { killed, ledger } = await killedStore(3);
  for (const empty of [new Uint8Array(4096), new Uint8Array(100), new Uint8Array(0)]) {
    const disk = killed.afterKill();
    disk.damage(`${journalFolder}/00000002.log`, empty);
    disk.damage(`${journalFolder}/00000003.log`, empty);
    disk.damage(`${journalFolder}/spare-4.log`, empty);
    const store = await openSample(disk);
    expect(stateOf(store)).toEqual(ledger.last);
    expect(disk.names(journalFolder)).not.toContain("spare-4.log");
    const onward = new Ledger(stateOf(store));
    for (let n = 0; n < 20; n += 1) await onward.commit(store, [{ kind: "put", id: 50 + n, team: n }]);
    expect(onward.acknowledged).toBe(23);
    expect(await openedState(disk.afterPowerLoss(seed))).toEqual(onward.last);
    await store.close();
    expect(await openedState(disk)).toEqual(onward.last);
  }
});

test("a torn mark at the end of a full file does not prevent the start", async () => {
  const { killed, ledger } = await killedStore(40, { journalFileBytes: 4096 });
  const whole = killed.content(firstFile);
  const end = lineEnds(whole).at(-1) as number;
  const start = (lineEnds(whole).at(-2) as number) + 1;
  expect(Buffer.from(whole.subarray(start + 9, start + 13)).toString()).toBe('{"d"');
  killed.damage(
    firstFile,
    Uint8Array.from(whole, (byte, at) => (at > start + 5 && at <= end ? 0 : byte)),
  );
  expect(await openedState(killed)).toEqual(ledger.last);
});

test("a transaction larger than a journal file gets a file of its own, and the waiting spare is used after it", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  for (let n = 1; n <= 9; n += 1) await ledger.commit(store, [{ kind: "put", id: n, team: n }]);
  while (!disk.names(journalFolder).some((name) => name.startsWith("spare"))) await new Promise(setImmediate);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await ledger.commit(store, [{ kind: "put", id: 10, team: 1, padding: "p".repeat(50_000) }]);
  for (let n = 11; n <= 30; n += 1) await ledger.commit(store, [{ kind: "put", id: n, team: n }]);
  expect(ledger.acknowledged).toBe(30);
  const sizes = disk
    .names(journalFolder)
    .filter((name) => /^\d/.test(name))
    .map((name) => disk.content(`${journalFolder}/${name}`).byteLength);
  expect(sizes.filter((size) => size > 50_000).length).toBe(1);
  expect(sizes[2]).toBe(4096);
  // No spare is left behind by the detour.
  expect(disk.names(journalFolder).filter((name) => name.startsWith("spare")).length).toBeLessThanOrEqual(1);
  expect(await openedState(disk.afterPowerLoss(seed))).toEqual(ledger.last);
  await store.close();
});

function openJournal(disk: SimulatedDisk): Journal {
  disk.makeFolder(journalFolder);
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  return Journal.open(
    { disk, folder: journalFolder, store: "s", fileBytes: 1024, onDiskFailure },
    { files: [], lastSequence: 0 },
  );
}

async function appendLine(journal: Journal): Promise<number> {
  const changes = JSON.stringify([["people", 1, { id: 1, name: "x".repeat(100) }]]);
  journal.reserve(changes.length);
  const sequence = journal.append(changes, changes.length);
  await journal.settled();
  return sequence;
}

test("journal files are deleted from the oldest on, once no line of theirs is needed, and never the last", async () => {
  const disk = new SimulatedDisk();
  const journal = openJournal(disk);
  const filesAfter: string[][] = [];
  for (let n = 0; n < 24; n += 1) {
    await appendLine(journal);
    filesAfter.push(disk.names(journalFolder).filter((name) => /^\d/.test(name)));
  }
  const all = filesAfter.at(-1) as string[];
  expect(all.length).toBeGreaterThan(4);
  /** The first transaction of the second file. */
  const second = filesAfter.findIndex((files) => files.length === 2) + 1;
  const left = async (sequence: number, expected: readonly string[]) => {
    journal.releaseBefore(sequence);
    const names = () => disk.names(journalFolder).filter((name) => /^\d/.test(name));
    await until(`${expected.join()} is left`, () => names().join() === expected.join());
  };
  await left(0, all);
  await left(second - 1, all);
  await left(second, all.slice(1));
  await left(1_000_000, all.slice(-1));
  await journal.close();
});

test("a journal file that cannot be removed is not skipped: later ones stay", async () => {
  const disk = new SimulatedDisk();
  const journal = openJournal(disk);
  for (let n = 0; n < 24; n += 1) await appendLine(journal);
  const files = () => disk.names(journalFolder).filter((name) => /^\d/.test(name));
  const all = files();
  disk.fail("EIO", 1, { kind: "remove" });
  journal.releaseBefore(1_000);
  await new Promise((resolve) => setTimeout(resolve, 2));
  expect(files()).toEqual(all);
  await until("the last file is left", () => {
    journal.releaseBefore(1_000);
    return files().join() === all.slice(-1).join();
  });
  await journal.close();
});
