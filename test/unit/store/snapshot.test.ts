import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { checkStore, type Disk, Store, type StoreSnapshot, systemDisk } from "../../../src/store/index.ts";
import { createRandom, type Random } from "../../support/checks/random.ts";
import { firstGenerationOf } from "../../support/disk/generation.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { applySteps, indexFault, type State, type Step, sampleCollections, stateOf } from "./sample-store.ts";

const seeds = 12;

function open(folder: string, disk: Disk = systemDisk): Promise<Store> {
  return Store.open({
    folder,
    collections: sampleCollections,
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    journalFileBytes: 8192,
    disk,
    onDiskFailure: (error) => {
      throw error;
    },
  });
}

function randomSteps(random: Random): Step[] {
  return Array.from({ length: 1 + Math.floor(random.fraction() * 3) }, (): Step => {
    const id = 1 + Math.floor(random.fraction() * 4000);
    if (random.fraction() < 0.2) return { kind: "remove", id };
    return {
      kind: "put",
      id,
      team: 1 + Math.floor(random.fraction() * 5),
      padding: "x".repeat(random.fraction() * 400),
    };
  });
}

/** As whoever streams it does: a file at a time, with others at work between them. */
async function copyOut(snapshot: StoreSnapshot, dataFolder: string): Promise<void> {
  const to = firstGenerationOf(dataFolder);
  await mkdir(to, { recursive: true });
  await writeFile(join(dataFolder, "manifest.json"), JSON.stringify(snapshot.manifest));
  for (const { name, path, bytes } of snapshot.files()) {
    await new Promise(setImmediate);
    const content = systemDisk.read(path);
    const target = join(to, name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content.subarray(0, bytes));
  }
}

test("a snapshot under writes and checkpoints is the store as it was at its position", async () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    await using folder = await createTempFolder();
    const random = createRandom(seed);
    const store = await open(join(folder.path, "data"));
    let isOver = false;
    const keepWriting = async () => {
      while (!isOver) {
        store.transact((tx) => applySteps(tx, store, randomSteps(random)));
        if (random.fraction() < 0.3) await store.settled();
        if (random.fraction() < 0.1) await new Promise(setImmediate);
      }
    };
    const keepCheckpointing = async () => {
      while (!isOver) {
        await store.checkpoint();
        await new Promise(setImmediate);
      }
    };
    const load = Promise.all([keepWriting(), keepCheckpointing()]);
    const copies: { state: State; position: number; to: string }[] = [];
    for (let at = 0; at < 3; at += 1) {
      for (let turns = random.fraction() * 30; turns > 0; turns -= 1) await new Promise(setImmediate);
      let state: State = new Map();
      const snapshot = await store.snapshot(() => {
        state = stateOf(store);
      });
      const to = join(folder.path, `copy-${at}`);
      await copyOut(snapshot, to);
      await snapshot.release();
      copies.push({ state, position: snapshot.position, to });
    }
    isOver = true;
    await load;
    await store.close();
    for (const { state, position, to } of copies) {
      const findings = await checkStore({ disk: systemDisk, folder: to, collections: sampleCollections });
      expect({ seed, findings: findings.map(({ problem }) => problem) }).toEqual({ seed, findings: [] });
      const copy = await open(to);
      expect(copy.statistics().durableSequence).toBe(position);
      expect(stateOf(copy)).toEqual(state);
      expect(indexFault(copy)).toBeUndefined();
      await copy.close();
    }
    expect(await readdir(join(firstGenerationOf(join(folder.path, "data")), "snapshots"))).toEqual([]);
  }
}, 600_000);

test("a snapshot of a new store works, and the next start removes that of a killed process", async () => {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const store = await open(data);
  await copyOut(await store.snapshot(), join(folder.path, "copy"));
  expect(await readdir(join(firstGenerationOf(data), "snapshots"))).toEqual(["1"]);
  await store.close();
  expect(await readdir(join(firstGenerationOf(data), "snapshots"))).toEqual([]);
  await mkdir(join(firstGenerationOf(data), "snapshots/7/documents"), { recursive: true });
  const again = await open(data);
  expect(await readdir(firstGenerationOf(data))).not.toContain("snapshots");
  await again.close();
  const copy = await open(join(folder.path, "copy"));
  expect(stateOf(copy).size).toBe(0);
  await copy.close();
});

test("a store that is closed while a snapshot is released leaves no file of it", async () => {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  const disk: Disk = {
    ...systemDisk,
    async removeFolderLater(path) {
      await mayGo;
      await systemDisk.removeFolderLater(path);
    },
  };
  const store = await open(data, disk);
  store.transact((tx) => applySteps(tx, store, [{ kind: "put", id: 1, team: 1, padding: "" }]));
  await store.checkpoint();
  const snapshot = await store.snapshot();
  const released = snapshot.release();
  const closed = store.close().then(async () => await readdir(join(firstGenerationOf(data), "snapshots")));
  setTimeout(go, 20);
  expect(await closed).toEqual([]);
  await released;
});

test("no blob is deleted while a snapshot needs it", async () => {
  await using folder = await createTempFolder();
  const store = await open(join(folder.path, "data"));
  const { hash, release } = await store.blobs.put([new TextEncoder().encode("let go")]);
  const snapshot = await store.snapshot();
  release();
  let isSwept = false;
  const sweep = store.blobs
    .sweep(
      () => false,
      () => undefined,
    )
    .then(() => {
      isSwept = true;
    });
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  expect(isSwept).toBe(false);
  expect([...snapshot.files()].map(({ name }) => name)).toContain(`blobs/${hash.slice(0, 2)}/${hash}`);
  await snapshot.release();
  await sweep;
  expect([...store.blobs.hashes()]).toEqual([]);
  await store.close();
});

test("a disk without room for names is 503, and leaves no part of a snapshot", async () => {
  await using folder = await createTempFolder();
  let isFull = false;
  const orFull = <A extends unknown[]>(work: (...args: A) => void) => {
    return (...args: A) => {
      if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      work(...args);
    };
  };
  for (const refused of ["link", "makeFolder"] as const) {
    const data = join(folder.path, refused);
    isFull = false;
    const { link, makeFolder } = systemDisk;
    const changed = refused === "link" ? { link: orFull(link) } : { makeFolder: orFull(makeFolder) };
    const store = await open(data, { ...systemDisk, ...changed });
    store.transact((tx) => applySteps(tx, store, [{ kind: "put", id: 1, team: 1, padding: "" }]));
    await store.checkpoint();
    isFull = true;
    await expect(store.snapshot()).rejects.toMatchObject({
      kind: "unavailable",
      retryAfterSeconds: expect.any(Number),
    });
    expect(
      (await readdir(firstGenerationOf(data))).includes("snapshots")
        ? await readdir(join(firstGenerationOf(data), "snapshots"))
        : [],
    ).toEqual([]);
    if (refused === "makeFolder") expect(() => store.blobs.begin()).toThrow("503 Service Unavailable");
    isFull = false;
    await (await store.snapshot()).release();
    await store.close();
  }
});
