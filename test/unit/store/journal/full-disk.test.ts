import { expect, test } from "bun:test";
import { Failure } from "../../../../src/domain/failure.ts";
import type { Store } from "../../../../src/store/index.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { openSample, people, stateOf } from "../sample-store.ts";
import { Ledger } from "./ledger.ts";

/** Longer than the store waits before it asks a full disk again. */
const probeMs = 260;

async function fill(store: Store, ledger: Ledger): Promise<void> {
  for (let n = 0; ledger.refused === 0; n += 1) {
    expect(n).toBeLessThan(500);
    await ledger.commit(store, [{ kind: "put", id: n + 1, team: n, padding: "x".repeat(200) }]);
  }
}

test("a full disk refuses writes as unavailable with nothing changed, reads continue, and writes succeed again with free space", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  expect(store.writeRefusal()).toBeUndefined();
  disk.limitBytes = disk.bytes + 20_000;
  await fill(store, ledger);
  expect(ledger.broken).toBeUndefined();
  expect(ledger.acknowledged).toBe(ledger.states.length - 1);
  expect(ledger.acknowledged).toBeGreaterThan(5);

  // Refused again and again, as a Failure that becomes 503; `change` compares memory with the last state.
  for (let n = 0; n < 3; n += 1) expect(ledger.change(store, [{ kind: "put", id: 1, team: 77 }])).toBe(false);
  const padding = "x".repeat(5000);
  const add = () =>
    store.transact((tx) => tx.insert(people, { id: 900, name: "nine", team: 1, state: "active", padding }));
  expect(add).toThrow(Failure);
  expect(add).toThrow("503 Service Unavailable");
  expect(store.writeRefusal()).toBe("no space for writes");
  expect(store.of(people).get(1)).toBeDefined();
  expect(
    store.page(people, { where: [], order: "byId", descending: false, page: { kind: "offset", page: 1, perPage: 3 } })
      .items.length,
  ).toBe(3);
  expect(store.settled()).toBeUndefined();

  // Acknowledged changes are safe meanwhile, whatever happens.
  const other = await openSample(disk.afterPowerLoss(1));
  expect(stateOf(other)).toEqual(ledger.last);
  await other.close();

  disk.limitBytes += 100_000;
  await new Promise((resolve) => setTimeout(resolve, probeMs));
  expect(store.writeRefusal()).toBeUndefined();
  const { acknowledged } = ledger;
  await ledger.commit(store, [{ kind: "put", id: 1, team: 78 }]);
  expect(ledger.acknowledged).toBe(acknowledged + 1);
  await store.close();
  const reopened = await openSample(disk);
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
});

test("a completely full disk never breaks the store: accepted changes are durable", async () => {
  for (let room = 0; room < 14_000; room += 487) {
    const disk = new SimulatedDisk();
    const ledger = new Ledger();
    const store = await ledger.open(disk);
    disk.limitBytes = disk.bytes + room;
    await fill(store, ledger);
    expect(ledger.broken).toBeUndefined();
    const reopened = await openSample(disk.afterPowerLoss(room));
    ledger.check(reopened, `room for ${room} bytes`);
    await reopened.close();
    disk.limitBytes = Number.POSITIVE_INFINITY;
    await store.close();
  }
});

test("a checkpoint without space leaves the store unchanged, and the next one with space succeeds", async () => {
  const disk = new SimulatedDisk();
  const ledger = new Ledger();
  const store = await ledger.open(disk);
  for (let id = 1; id <= 5; id += 1) await ledger.commit(store, [{ kind: "put", id, team: id }]);
  disk.limitBytes = disk.bytes + 10;
  await expect(store.checkpoint()).rejects.toThrow();
  expect(stateOf(store)).toEqual(ledger.last);
  expect(disk.names("/srv/outpost/data/generations/0001/documents/people")).toEqual([]);
  disk.limitBytes = Number.POSITIVE_INFINITY;
  await store.checkpoint();
  expect(disk.names("/srv/outpost/data/generations/0001/documents/people")).toEqual(["000000.json"]);
  const reopened = await openSample(disk.afterPowerLoss(3));
  expect(stateOf(reopened)).toEqual(ledger.last);
  await reopened.close();
  await store.close();
});

test("a first start on a full disk fails, and succeeds once there is space", async () => {
  for (const room of [0, 50, 200, 3000]) {
    const disk = new SimulatedDisk();
    disk.limitBytes = room;
    await expect(openSample(disk)).rejects.toThrow();
    disk.limitBytes = Number.POSITIVE_INFINITY;
    const store = await openSample(disk);
    const ledger = new Ledger();
    await ledger.commit(store, [{ kind: "put", id: 1, team: 1 }]);
    expect(ledger.acknowledged).toBe(1);
    await store.close();
  }
});
