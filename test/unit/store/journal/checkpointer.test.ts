import { expect, test } from "bun:test";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { Store } from "../../../../src/store/index.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";
import { notes, openSample, type Person, partsFolder, people, stateOf } from "../sample-store.ts";
import { Ledger } from "./ledger.ts";

const peopleFolder = `${partsFolder}/documents/people`;

test("any lowdb reads a segment, and so does a person: one document on a line", async () => {
  await using folder = await createTempFolder();
  const store = await Store.open({
    folder: folder.path,
    collections: [people, notes],
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure: (error) => {
      throw error;
    },
  });
  const all: Person[] = [1, 2, 1023, 1024, 5000].map((id) => ({
    id,
    name: `p "${id}" \n\u2028 ünïcödé 🙂`,
    team: id,
    state: "active",
  }));
  store.transact((tx) => all.map((person) => tx.insert(people, person)));
  await store.settled();
  await store.close();
  const found: unknown[] = [];
  for (const name of ["000000.json", "000001.json", "000004.json"]) {
    const path = join(folder.path, "generations/0001/documents/people", name);
    const low = new Low<{ docs: Record<string, Person> }>(new JSONFile(path), { docs: {} });
    await low.read();
    found.push(...Object.values(low.data.docs));
    const lines = (await Bun.file(path).text()).trimEnd().split("\n");
    expect(lines.length).toBe(Object.keys(low.data.docs).length + 2);
  }
  expect(found).toEqual(all);
});

test("an empty segment has no file, and gets one again", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  for (const id of [1, 2000, 2001]) await ledger.commit(store, [{ kind: "put", id, team: 1 }]);
  await store.checkpoint();
  expect(disk.names(peopleFolder)).toEqual(["000000.json", "000001.json"]);
  await ledger.commit(store, [{ kind: "remove", id: 2000 }]);
  await store.checkpoint();
  expect(disk.names(peopleFolder)).toEqual(["000000.json", "000001.json"]);
  await ledger.commit(store, [{ kind: "remove", id: 2001 }]);
  await store.checkpoint();
  expect(disk.names(peopleFolder)).toEqual(["000000.json"]);
  const without = await openSample(disk.afterPowerLoss(1));
  expect(stateOf(without)).toEqual(ledger.last);
  await without.close();
  await ledger.commit(store, [{ kind: "put", id: 2000, team: 2 }]);
  await store.checkpoint();
  expect(disk.names(peopleFolder)).toEqual(["000000.json", "000001.json"]);
  await store.close();
  const reopened = await openSample(disk);
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
});

test("the next start removes the rest of an interrupted write", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  await store.close();
  disk.damage(`${peopleFolder}/000000.json.tmp`, Buffer.from("half a segm"));
  const reopened = await openSample(disk);
  expect(disk.names(peopleFolder)).toEqual(["000000.json"]);
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
});

test("a stop waits for the segment that is being written, and for a transaction at the last moment", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  ledger.change(store, [{ kind: "put", id: 2, team: 1 }]);
  ledger.change(store, [{ kind: "put", id: 3, team: 1 }]);
  disk.holdSyncs();
  let isClosed = false;
  const closed = store.close().then(() => {
    isClosed = true;
  });
  for (let n = 0; n < 20; n += 1) {
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    disk.releaseSyncs({ thenHold: true });
    if (disk.names(peopleFolder).includes("000000.json.tmp")) break;
  }
  expect(isClosed).toBe(false);
  disk.releaseSyncs();
  await closed;
  expect(disk.names(peopleFolder)).toEqual(["000000.json"]);
  const calls = disk.counts.total;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(disk.counts.total).toBe(calls);
  const reopened = await openSample(disk.afterPowerLoss(1));
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
});

test("two checkpoints at once do not write one segment at the same time", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  disk.holdSyncs();
  const first = store.checkpoint();
  for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
  ledger.change(store, [{ kind: "put", id: 1, team: 2, padding: "p".repeat(3000) }]);
  const second = store.checkpoint();
  for (let n = 0; n < 200; n += 1) {
    await new Promise(setImmediate);
    const temporary = disk.calls
      .filter((call) => /^(open|close|rename) .*documents.*\.tmp/.test(call))
      .map((call) => call.split(" ")[0]);
    for (const [n, kind] of temporary.entries()) expect(kind).toBe(["open", "close", "rename"][n % 3]);
    disk.releaseSyncs({ thenHold: true });
  }
  disk.releaseSyncs();
  await Promise.all([first, second]);
  await store.close();
  const reopened = await openSample(disk);
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
});

test("a checkpoint keeps journal files that a segment needs while another one writes it", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  for (let id = 1; id <= 30; id += 1) await ledger.commit(store, [{ kind: "put", id, team: id }]);
  const journal = () => disk.names(`${partsFolder}/journal`).filter((name) => /^\d/.test(name));
  const before = journal();
  expect(before.length).toBeGreaterThan(2);
  disk.holdSyncs(/counts\/000000/);
  const writing = store.checkpoint();
  const lastSegment = `${partsFolder}/documents/counts`;
  while (disk.heldSyncs === 0) await new Promise(setImmediate);
  const other = store.checkpoint();
  for (let n = 0; n < 20; n += 1) await new Promise(setImmediate);
  expect(disk.names(lastSegment)).toEqual(["000000.json.tmp"]);
  expect(journal()).toEqual(before);
  const lost = await openSample(disk.afterPowerLoss(1));
  expect(stateOf(lost)).toEqual(ledger.last);
  await lost.close();
  disk.releaseSyncs();
  await Promise.all([writing, other]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(journal().length).toBe(1);
  await store.close();
});

test("the journal stays small under endless writes, and its removed lines are in the segments", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk, { journalFileBytes: 4 << 20 });
  const padding = "j".repeat(200_000);
  let written = 0;
  let most = 0;
  while (written < 240 << 20) {
    for (let n = 0; n < 4; n += 1) {
      store.transact((tx) => {
        const person: Person = { id: n + 1, name: `p${n}`, team: written, state: "active", padding };
        if (store.of(people).get(person.id) === undefined) tx.insert(people, person);
        else tx.update(people, person);
      });
      written += padding.length;
    }
    await store.settled();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const journal = disk.names(`${partsFolder}/journal`).length * (4 << 20);
    most = Math.max(most, journal);
  }
  expect(most).toBeLessThan(128 << 20);
  const shown = stateOf(store);
  await store.close();
  const reopened = await openSample(disk);
  expect(stateOf(reopened)).toEqual(shown);
  await reopened.close();
}, 600_000);
