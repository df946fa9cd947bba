import { describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import {
  checkStore,
  collection,
  type Finding,
  field,
  log,
  record,
  Store,
  systemDisk,
  unique,
} from "../../../src/store/index.ts";
import { firstGenerationOf } from "../../support/disk/generation.ts";
import { rewriteSegment } from "../../support/disk/rewritten-segment.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const Plant = record({
  id: field.whole,
  name: field.text,
});

const plants = collection("plants", Plant, { indexes: { name: unique((plant) => plant.name) } });
const visits = log("visits", Plant, { timeOf: (visit) => visit.id, keysOf: (visit) => [visit.name] });
const collections = [plants, visits];

async function openStore(folder: string): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog };
  return Store.open({ folder, collections, onDiskFailure, journalFileBytes: 64 << 10, ...dependencies });
}

/** 1,100 plants and visits in segments alone, and 20 more in the journal alone. */
async function grow(folder: string): Promise<void> {
  const first = await openStore(folder);
  plant(first, 1100);
  await first.close();
  const second = await openStore(folder);
  plant(second, 20);
  await second.settled();
  // As a killed process would leave it: without what a clean stop writes back.
  const files = [...(await readJournalFiles(folder)), ...(await readSegments(folder))];
  await second.close();
  for (const [path, bytes] of files) await writeFile(path, bytes);
}

function plant(store: Store, count: number): void {
  for (let i = 0; i < count; i += 1) {
    store.transact((tx) => {
      const id = tx.nextId("plants");
      tx.insert(plants, { id, name: `plant ${id}` });
      tx.append(visits, { id: tx.nextId("visits"), name: `visitor ${id % 5}` });
    });
  }
}

async function readFolder(folder: string): Promise<[string, Buffer][]> {
  const names = (await readdir(folder)).filter((name) => /^\d+\.(log|json)$/.test(name));
  return Promise.all(
    names.map(async (name) => [join(folder, name), await readFile(join(folder, name))] as [string, Buffer]),
  );
}
const readJournalFiles = (folder: string) => readFolder(join(folder, "generations/0001/journal"));
const readSegments = (folder: string) => readFolder(join(folder, "generations/0001/documents/plants"));

test("a check reports its progress: each file of documents is read by itself, and once more with the others", async () => {
  await using folder = await createTempFolder();
  await grow(folder.path);
  const told: string[] = [];
  const onProgress = (task: string, unit: string, done: number, total: number) =>
    void told.push(`${task}: ${done} of ${total} ${unit}`);
  expect(await checkStore({ disk: systemDisk, folder: folder.path, collections, onProgress })).toEqual([]);
  const countOf = async (path: string) => (await readFolder(join(firstGenerationOf(folder.path), path))).length;
  const alone = (await countOf("documents/plants")) + (await countOf("logs/visits"));
  const together = alone + (await countOf("documents/sequences"));
  expect(alone).toBeGreaterThan(2);
  const lines = (task: string, count: number) =>
    Array.from({ length: count }, (_, done) => `${task}: ${done + 1} of ${count} files`);
  expect(told.filter((line) => line.endsWith("files"))).toEqual([
    ...lines("checking files", alone),
    ...lines("reading the store", together),
  ]);
  expect(told.some((line) => line.startsWith("building indexes: "))).toBe(true);
});

async function flip(path: string, text: string, offset = 0): Promise<void> {
  const bytes = await readFile(path);
  const place = bytes.indexOf(text) + offset;
  bytes[place] = (bytes[place] as number) ^ 1;
  await writeFile(path, bytes);
}

const check = (folder: string) => checkStore({ disk: systemDisk, folder, collections });
const problemsOf = (findings: readonly Finding[]) => findings.map((finding) => finding.problem);

test("an intact store has no findings, and the check changes nothing", async () => {
  await using folder = await createTempFolder();
  await grow(folder.path);
  const before = new Bun.CryptoHasher("sha256");
  const after = new Bun.CryptoHasher("sha256");
  for (const [, bytes] of [...(await readJournalFiles(folder.path)), ...(await readSegments(folder.path))])
    before.update(bytes);
  expect(await check(folder.path)).toEqual([]);
  for (const [, bytes] of [...(await readJournalFiles(folder.path)), ...(await readSegments(folder.path))])
    after.update(bytes);
  expect(after.digest("hex")).toBe(before.digest("hex"));
});

test("an empty folder is no store", async () => {
  await using folder = await createTempFolder();
  expect(check(folder.path)).rejects.toThrow("holds no store");
});

describe("a damaged segment", () => {
  test("is named, keeps its readable documents, and the journal restores those it has", async () => {
    await using folder = await createTempFolder();
    await grow(folder.path);
    const path = join(folder.path, "generations/0001/documents/plants/000000.json");
    // The closing quote of a name: the line is no JSON any more.
    await flip(path, `"plant 500"`, 10);
    const findings = await check(folder.path);
    expect(problemsOf(findings)).toEqual([expect.stringContaining(`${path} at byte 0: its checksum does not match`)]);
    await expect(openStore(folder.path)).rejects.toThrow(path);
    expect(await findings[0]?.repair()).toContain("kept 1022 documents, left out 1");
    expect(await check(folder.path)).toEqual([]);
    const store = await openStore(folder.path);
    expect(store.of(plants).size).toBe(1119);
    expect(store.of(plants).get(500)).toBeUndefined();
    expect(store.of(plants).get(1120)).toEqual({ id: 1120, name: "plant 1120" });
    await store.close();
    expect(await readdir(join(folder.path, "damaged"))).toEqual(["documents-plants-000000.json"]);
  });
});

test("a document that does not fit its schema is named, in a file that is whole", async () => {
  await using folder = await createTempFolder();
  await grow(folder.path);
  const path = join(folder.path, "generations/0001/documents/plants/000000.json");
  await rewriteSegment(path, '"name":"plant 500"', '"name":null');
  expect(problemsOf(await check(folder.path))).toEqual([
    `document 500 in ${path} does not fit this version: name is null; expected text`,
  ]);
});

describe("a damaged journal", () => {
  test("is named with the place, and only the unreadable transaction is left out", async () => {
    await using folder = await createTempFolder();
    await grow(folder.path);
    const [last] = (await readdir(join(folder.path, "generations/0001/journal"))).sort().reverse();
    const path = join(folder.path, "generations/0001/journal", last as string);
    await flip(path, "plant 1110");
    const findings = await check(folder.path);
    expect(problemsOf(findings)).toEqual([expect.stringMatching(/journal\/\d+\.log at byte \d+: an unreadable line/)]);
    await expect(openStore(folder.path)).rejects.toThrow("an unreadable line");
    expect(await findings[0]?.repair()).toMatch(/kept \d+ transactions, left out 1 /);
    expect(await check(folder.path)).toEqual([]);
    const store = await openStore(folder.path);
    expect(store.of(plants).get(1110)).toBeUndefined();
    expect(store.of(plants).get(1109)).toEqual({ id: 1109, name: "plant 1109" });
    expect(store.of(plants).get(1120)).toEqual({ id: 1120, name: "plant 1120" });
    expect(store.transact((tx) => tx.nextId("plants"))).toBe(1121);
    await store.close();
  });
});

describe("a damaged log", () => {
  test("has its side index set aside and made again", async () => {
    await using folder = await createTempFolder();
    await grow(folder.path);
    const path = join(folder.path, "generations/0001/logs/visits/000000.index.json");
    await flip(path, `"times"`);
    const findings = await check(folder.path);
    expect(problemsOf(findings)).toEqual([expect.stringContaining(path)]);
    await findings[0]?.repair();
    const store = await openStore(folder.path);
    expect(store.logOf(visits).get(77)).toEqual({ id: 77, name: "visitor 2" });
    await store.close();
    expect(await check(folder.path)).toEqual([]);
  });

  test("keeps the readable entries of a sealed segment, and ignores its old side index", async () => {
    await using folder = await createTempFolder();
    await grow(folder.path);
    const path = join(folder.path, "generations/0001/logs/visits/000000.json");
    await flip(path, `"id":500`, -1);
    for (let findings = await check(folder.path); findings.length > 0; findings = await check(folder.path)) {
      for (const finding of findings) await finding.repair();
    }
    const store = await openStore(folder.path);
    expect(store.logOf(visits).get(500)).toBeUndefined();
    expect(store.logOf(visits).get(501)).toEqual({ id: 501, name: "visitor 1" });
    expect(store.logOf(visits).size).toBe(1119);
    await store.close();
  });
});
