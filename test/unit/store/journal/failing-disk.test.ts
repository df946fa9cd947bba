import { expect, test } from "bun:test";
import { type Fault, SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { openSample, stateOf } from "../sample-store.ts";
import { Ledger, liveOnce, reopenTwice } from "./ledger.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

for (const fault of ["EIO", "ENOSPC", "short write"] as const satisfies readonly Fault[]) {
  for (const isForever of [false, true]) {
    const howOften = isForever ? "and every later call fails" : "alone fails";
    test(`whichever call ${howOften} with ${fault}, nothing is acknowledged that a healthy disk does not return (seed ${seed})`, async () => {
      let call = 1;
      let broken = 0;
      for (; ; call += 1) {
        const disk = new SimulatedDisk(seed + call);
        const ledger = new Ledger();
        disk.fail(fault, call, { isForever, ...(fault === "short write" ? { kind: "write" } : {}) });
        const place = await lifeWithFault(disk, ledger);
        if (disk.faultedCalls.length === 0) break;
        if (ledger.broken !== undefined) broken += 1;
        const where = `call ${call} (${disk.faultedCalls[0]}), ${place ?? "no error"}`;
        await reopenTwice(disk.afterKill(), ledger, seed + call, `killed after ${where}`);
        await reopenTwice(disk.afterPowerLoss(seed + call), ledger, seed + call, `power lost after ${where}`);
      }
      expect(call).toBeGreaterThan(fault === "short write" ? 60 : 200);
      expect(broken).toBeGreaterThan(20);
    }, 180_000);
  }
}

/** Runs a life and returns its error, if there was one: the disk's, or a failed start. */
async function lifeWithFault(disk: SimulatedDisk, ledger: Ledger): Promise<string | undefined> {
  try {
    await liveOnce(disk, ledger);
    return undefined;
  } catch (error) {
    const text = String(error);
    if (!/simulated|short write|503|a moment ago/.test(text)) throw error;
    return text;
  }
}

test("a store whose journal failed answers no request, and takes no change", async () => {
  for (const kind of ["write", "sync"] as const) {
    const disk = new SimulatedDisk();
    const ledger = new Ledger();
    const store = await ledger.open(disk);
    await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
    disk.fail("EIO", 1, { kind });
    await Promise.all([1, 2, 3].map((id) => ledger.commit(store, [{ kind: "put", id, team: 2 }])));
    expect(ledger.broken).toBeDefined();
    expect(ledger.acknowledged).toBe(1);
    const before = stateOf(store);
    await ledger.commit(store, [{ kind: "put", id: 4, team: 3 }]);
    expect(ledger.refused).toBe(1);
    expect(stateOf(store)).toEqual(before);
    expect(store.writeRefusal()).toBe("the store is broken");
    await expect(store.settled()).rejects.toThrow("EIO");
    await store.close().catch(() => undefined);
  }
});

test("a caller who waits for the flush after the failed one gets the error, too", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  disk.holdSyncs();
  const flushed = ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  while (disk.heldSyncs === 0) await new Promise(setImmediate);
  const queued = ledger.commit(store, [{ kind: "put", id: 2, team: 1 }]);
  // The first flush goes on with its folder.
  disk.fail("EIO", 1, { kind: "syncFolder" });
  disk.releaseSyncs();
  await Promise.all([flushed, queued]);
  expect(ledger.broken).toBeDefined();
  expect(ledger.acknowledged).toBe(0);
  await store.close().catch(() => undefined);
}, 600_000);

test("a checkpoint that waits for the journal when it fails replaces no file", async () => {
  const disk = new SimulatedDisk();
  let broken: unknown;
  const store = await openSample(disk, {
    onDiskFailure: (error) => {
      broken = error;
    },
  });
  const ledger = new Ledger();
  await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
  await store.checkpoint();
  const saved = disk.content("/srv/outpost/data/generations/0001/documents/people/000000.json");
  ledger.change(store, [{ kind: "put", id: 1, team: 2 }]);
  disk.holdSyncs();
  const checkpoint = store.checkpoint();
  checkpoint.catch(() => undefined);
  while (disk.heldSyncs < 1) await new Promise(setImmediate);
  // The journal's own sync is the next one.
  disk.fail("EIO", 1, { kind: "sync" });
  ledger.change(store, [{ kind: "put", id: 1, team: 3 }]);
  disk.releaseSyncs();
  await expect(checkpoint).rejects.toThrow("EIO");
  expect(broken).toBeDefined();
  expect(disk.content("/srv/outpost/data/generations/0001/documents/people/000000.json")).toEqual(saved);
  await store.close().catch(() => undefined);
});
