import { expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { checkStore, field, lastIdOf, log, record, Store, sequences } from "../../../src/store/index.ts";
import type { RequireMemory } from "../../../src/store/journal/memory.ts";
import { createRandom, type Random } from "../../support/checks/random.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";
import { applySteps, dataFolder, indexFault, people, type Step, sampleCollections, stateOf } from "./sample-store.ts";

const Entry = record({ id: field.whole, at: field.whole, group: field.whole });
const entries = log("entries", Entry, {
  timeOf: ({ at }) => at,
  keysOf: ({ group }) => [`group ${group}`],
  hasTimeOrder: true,
});
const collections = [...sampleCollections, entries];

function openStore(disk: SimulatedDisk, requireMemory: RequireMemory = () => {}): Promise<Store> {
  return Store.open({
    folder: dataFolder,
    collections,
    sandbox: true,
    clock: { now: () => 1_700_000_000_000 },
    randomness: systemRandomness,
    log: silentLog,
    disk,
    lock: () => ({ release() {} }),
    journalFileBytes: 64 << 10,
    onDiskFailure() {},
    requireMemory,
  });
}

/** Everything that a reader of the store can see, the ids that it would give next among it. */
function everythingOf(store: Store) {
  const found = store.logOf(entries);
  const page = { kind: "offset", page: 1, perPage: 10_000 } as const;
  const inGroup = (group: number) =>
    found.page({ keys: [`group ${group}`], descending: false, page }).items.map(({ id }) => id);
  return {
    documents: stateOf(store),
    entries: found.page({ keys: [], descending: false, page }).items,
    groups: [0, 1, 2].map(inGroup),
    next: store.transact((tx) => {
      const ids = [tx.nextId("transactions"), tx.nextId("entries")];
      tx.advanceSequence("never", 0);
      return ids;
    }),
  };
}

function drawSteps(random: Random): Step[] {
  return Array.from({ length: random.integer(1, 4) }, (): Step => {
    const id = random.integer(1, 12);
    return random.integer(0, 3) === 0 ? { kind: "remove", id } : { kind: "put", id, team: random.integer(0, 5) };
  });
}

function appendEntries(store: Store, random: Random): void {
  store.transact((tx) => {
    for (let count = random.integer(1, 400); count > 0; count -= 1) {
      const id = tx.nextId("entries");
      tx.append(entries, { id, at: id, group: random.integer(0, 2) });
    }
  });
}

/** Never gives an id that a log has dropped. */
const lastEntry = (store: Store) => lastIdOf(store.of(sequences), "entries");

function touchSomebody(store: Store, random: Random): void {
  const person = store.of(people).get(random.integer(1, 12));
  if (person !== undefined) store.touch(people, { ...person, padding: random.text(random.integer(0, 20)) });
}

test("a restore brings back everything that a checkpoint had, after any changes, checkpoints and starts", async () => {
  for (let round = 0; round < 12; round += 1) {
    const random = createRandom();
    const disk = new SimulatedDisk();
    let store = await openStore(disk);
    let states: { name: string; seen: unknown }[] = [];
    for (let step = 0; step < 120; step += 1) {
      const name = `c${random.integer(1, 3)}`;
      const known = states.findIndex((state) => state.name === name);
      switch (random.integer(0, 9)) {
        case 0:
          if (known !== -1) states.splice(known, 1);
          // `everythingOf` takes ids: it comes first.
          states.push({ name, seen: everythingOf(store) });
          store.history.create(name, 1_700_000_000_000);
          break;
        case 1:
          if (known === -1) break;
          store.history.restore(name);
          states = states.slice(0, known + 1);
          break;
        case 2:
          if (known !== -1 && random.integer(0, 2) === 0) {
            store.history.remove(name);
            states.splice(known, 1);
          }
          break;
        case 3:
          appendEntries(store, random);
          break;
        case 4:
          store.dropBelow(entries, random.integer(1, Math.max(1, lastEntry(store))));
          break;
        case 5:
          touchSomebody(store, random);
          break;
        case 6:
          if (random.integer(0, 4) > 0) break;
          await store.close();
          store = await openStore(disk);
          break;
        default:
          store.transact((tx) => applySteps(tx, store, drawSteps(random)));
      }
      expect(store.history.list().map((each) => each.name)).toEqual(states.map((each) => each.name));
      expect(indexFault(store)).toBeUndefined();
    }
    for (const { name, seen } of states.toReversed()) {
      store.history.restore(name);
      const { documents, entries: found, groups } = everythingOf(store);
      const wanted = seen as ReturnType<typeof everythingOf>;
      expect([...documents]).toEqual([...wanted.documents]);
      expect(found).toEqual(wanted.entries);
      expect(groups).toEqual(wanted.groups);
    }
    await store.close();
    expect(await checkStore({ disk, folder: dataFolder, collections })).toEqual([]);
  }
}, 60_000);

test("a restore and the end of a checkpoint take as many steps as they need", async () => {
  const store = await openStore(new SimulatedDisk());
  for (const name of ["first", "second"]) {
    store.history.create(name, 1_700_000_000_000);
    put(store, 1);
  }
  withBudget(new WorkBudget(10), () => {
    store.history.remove("second");
    store.history.restore("first");
  });
  expect(stateOf(store).size).toBe(0);
  await store.close();
});

for (const [name, changeBefore, refused] of [
  ["a change that is refused keeps nothing for a checkpoint", [], (store: Store) => put(store, 2)],
  ["a checkpoint whose end is refused has what it kept", [2], (store: Store) => store.history.remove("first")],
] as const) {
  test(name, async () => {
    let isFull = false;
    const store = await openStore(new SimulatedDisk(), () => {
      if (isFull) throw new Error("no memory");
    });
    put(store, 1);
    const before = stateOf(store);
    store.history.create("first", 1_700_000_000_000);
    for (const team of changeBefore) put(store, team);
    isFull = true;
    expect(() => refused(store)).toThrow("no memory");
    isFull = false;
    put(store, 3);
    store.history.restore("first");
    expect(stateOf(store)).toEqual(before);
    await store.close();
  });
}

function put(store: Store, team: number): void {
  store.transact((tx) => applySteps(tx, store, [{ kind: "put", id: 1, team }]));
}
