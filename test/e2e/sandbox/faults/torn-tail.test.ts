import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { depth } from "../../../support/checks/depth.ts";
import { createRandom } from "../../../support/checks/random.ts";
import { documentsAfter, type JournalLine, journalLines } from "../../../support/disk/journal-bytes.ts";
import { type Documents, differenceFrom, openKeptStore } from "../../../support/disk/kept-store.ts";
import { type MemoryDisk, readIntoMemory } from "../../../support/disk/memory-disk.ts";
import {
  createUser,
  knownCredentials,
  listUsers,
  rootHeaders,
  rootToken,
} from "../../../support/process/fault-client.ts";
import { startOutpost } from "../../../support/process/outpost-process.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const journalName = "generations/0001/journal/00000001.log";
/** Kept of the zeros behind the last line, so that a copy is made quickly. */
const zerosKept = 4096;
/** Process starts beside those at the boundaries. */
const sampledPlaces = 24 * depth;

/** A store whose server was killed after three last writes, each acknowledged, and what it holds after each line. */
interface KilledStore {
  readonly folder: string;
  readonly disk: MemoryDisk;
  readonly journal: Uint8Array;
  readonly lines: readonly JournalLine[];
  /** The offset of the last three transactions. */
  readonly from: number;
  readonly end: number;
  /** Names by id, in the order in which they were acknowledged. */
  readonly users: readonly (readonly [number, string])[];
}

const folder = await createTempFolder();
const random = createRandom();
let killed: KilledStore;

beforeAll(async () => {
  const path = join(folder.path, "killed");
  await using outpost = await startOutpost({ env: knownCredentials, dataFolder: path });
  // The password of root is stored after the server listens: it must not come between the last writes.
  const journalOf = () => readFile(join(path, journalName));
  while (!(await journalOf()).includes('"is_root_password_set":true')) await Bun.sleep(10);
  const users: [number, string][] = [];
  for (const username of ["one", "two", "three", "four", "five"]) {
    users.push([(await createUser(outpost.origin, username)).id, username]);
  }
  await outpost.kill();
  const whole = await journalOf();
  const lines = journalLines(whole);
  const transactions = lines.filter(({ changes }) => changes !== undefined);
  const end = lines.at(-1)?.end as number;
  // Not a Buffer, whose `slice` shares its bytes.
  const journal = new Uint8Array(whole.subarray(0, end + zerosKept));
  await writeFile(join(path, journalName), journal);
  const disk = await readIntoMemory(path);
  killed = { folder: path, disk, journal, lines, from: transactions.at(-3)?.start as number, end, users };
  // Each user came in one line with the namespace, the sequences and the audit event.
  expect(transactions.slice(-5).map(({ changes }) => changes?.map(([name]) => name).sort())).toEqual(
    Array.from({ length: 5 }, () => expect.arrayContaining(["audit-events", "namespaces", "sequences", "users"])),
  );
});
afterAll(() => folder.remove());

/** The lines that are whole when the journal ends at `place`, and whether a torn one follows them. */
function upTo(place: number): { lines: JournalLine[]; isTorn: boolean } {
  const lines = killed.lines.filter(({ end }) => end <= place);
  return { lines, isTorn: lines.at(-1)?.end !== place };
}

const truncated = (place: number) => killed.journal.slice(0, place);
const zeroed = (place: number) => killed.journal.slice().fill(0, place);

/** Opens a copy with this journal and compares everything in it. Returns what was wrong. */
async function faultOf(journal: Uint8Array, wanted: Documents, warnings: number): Promise<string | undefined> {
  const disk = killed.disk.copy({ [join(killed.folder, journalName)]: journal });
  const opened = await openKeptStore(disk, killed.folder);
  const difference = differenceFrom(wanted, opened.store);
  await opened.store.close();
  if (difference !== undefined) return difference;
  return opened.warnings.length === warnings ? undefined : `warned: ${opened.warnings.join("; ") || "of nothing"}`;
}

describe("the end of a journal that a killed server left", () => {
  test.each([
    ["cut off", truncated],
    ["zeroed", zeroed],
  ])(
    "%s at every byte of its last three transactions, it opens with the complete ones before",
    async (_, damage) => {
      const faults: string[] = [];
      let documents = documentsAfter([]);
      let known = -1;
      for (let place = killed.from; place <= killed.end; place += 1) {
        const { lines, isTorn } = upTo(place);
        if (lines.length !== known) documents = documentsAfter(lines);
        known = lines.length;
        const fault = await faultOf(damage(place), documents, isTorn ? 1 : 0);
        if (fault !== undefined) faults.push(`byte ${place}: ${fault}`);
      }
      expect(faults).toEqual([]);
      expect(killed.end - killed.from).toBeGreaterThan(1000);
    },
    600_000,
  );

  test("one zero in it never hides an acknowledged transaction", async () => {
    const documents = documentsAfter(killed.lines);
    const faults: string[] = [];
    let [refused, opened] = [0, 0];
    for (let place = killed.from; place < killed.end; place += 1) {
      const journal = killed.journal.slice();
      journal[place] = 0;
      try {
        const fault = await faultOf(journal, documents, 1);
        opened += 1;
        if (fault !== undefined) faults.push(`byte ${place}: ${fault}`);
      } catch (error) {
        refused += 1;
        if (!String(error).includes(`${journalName} at byte `)) faults.push(`byte ${place}: ${error}`);
      }
    }
    expect(faults).toEqual([]);
    // Only the mark behind the last line may be lost.
    const mark = killed.lines.at(-1) as JournalLine;
    expect(opened).toBe(mark.end - mark.start);
    expect(refused).toBe(mark.start - killed.from);
  }, 600_000);

  test("garbage behind it is cut off with one warning, zeros are ignored", async () => {
    const documents = documentsAfter(killed.lines);
    const garbage = (length: number) => Uint8Array.from({ length }, () => random.integer(0, 255));
    const behindLines = (bytes: Uint8Array) => {
      const journal = killed.journal.slice();
      journal.set(bytes, killed.end);
      return journal;
    };
    for (const length of [1, 2, 9, 10, 100, 1000, zerosKept]) {
      const bytes = garbage(length);
      if (bytes[length - 1] === 0) bytes[length - 1] = 1;
      expect(await faultOf(behindLines(bytes), documents, 1)).toBeUndefined();
      expect(await faultOf(Buffer.concat([killed.journal, bytes]), documents, 1)).toBeUndefined();
      expect(await faultOf(Buffer.concat([truncated(killed.end), bytes]), documents, 1)).toBeUndefined();
    }
    for (const length of [1, 4096, 1 << 20]) {
      expect(await faultOf(Buffer.concat([killed.journal, new Uint8Array(length)]), documents, 0)).toBeUndefined();
    }
  }, 600_000);

  test("the executable starts on it, serves the complete transactions before the torn line, and warns once", async () => {
    const boundaries = killed.lines.filter(({ start }) => start >= killed.from).map(({ start }) => start);
    const places = new Set([...boundaries, killed.end].flatMap((at) => [at - 1, at, at + 1]));
    const count = places.size;
    while (places.size < count + sampledPlaces) places.add(random.integer(killed.from, killed.end));
    const queue = [...places].filter((place) => place >= killed.from && place <= killed.end).entries();
    const check = async () => {
      for (const [turn, place] of queue) {
        try {
          await checkStart((turn % 2 === 0 ? truncated : zeroed)(place), place, turn);
        } catch (error) {
          throw new Error(`TEST_SEED=${random.seed}, byte ${place}`, { cause: error });
        }
      }
    };
    await Promise.all([check(), check()]);
  }, 600_000);
});

async function checkStart(journal: Uint8Array, place: number, turn: number): Promise<void> {
  const { lines, isTorn } = upTo(place);
  const documents = documentsAfter(lines);
  const users = new Map(killed.users.filter(([id]) => documents.has(`users/${id}`)));
  const dataFolder = join(folder.path, `start-${turn}`);
  await cp(killed.folder, dataFolder, { recursive: true });
  await writeFile(join(dataFolder, journalName), journal);
  const args = ["--log-level", "warn", "--log-format", "json"];
  await using outpost = await startOutpost({ dataFolder, args });
  expect(await listUsers(outpost.origin)).toEqual(users);
  for (const [id, username] of users) {
    const answer = await fetch(`${outpost.origin}/api/v4/users/${id}`, { headers: rootHeaders });
    expect(await answer.json()).toMatchObject({ username, namespace_id: expect.any(Number) });
  }
  // The log has a thread of its own: what is killed may not have written yet.
  if (isTorn) await outpost.saw('"level":"warn"');
  const { stderr } = await outpost.kill();
  const warnings = stderr.split("\n").filter((line) => line.includes('"level":"warn"'));
  expect(warnings.length).toBe(isTorn ? 1 : 0);
  if (isTorn)
    expect(JSON.parse(warnings[0] as string)).toMatchObject({ file: "00000001.log", bytes: expect.any(Number) });
  expect(stderr).not.toContain(rootToken);
  // The torn line is gone for good: nothing is left to warn of.
  if (turn % 8 !== 0) return;
  await using again = await startOutpost({ dataFolder, args });
  expect(await listUsers(again.origin)).toEqual(users);
  expect((await again.kill()).stderr).not.toContain('"level":"warn"');
}
