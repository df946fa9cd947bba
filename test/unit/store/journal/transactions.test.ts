import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Transaction } from "../../../../src/store/index.ts";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { indexFault, notes, openSample, type Person, people, stateOf } from "../sample-store.ts";
import { Ledger } from "./ledger.ts";

const ann: Person = { id: 1, name: "ann", team: 1, state: "active" };
const ben: Person = { id: 2, name: "ben", team: 1, state: "active" };

async function storeWith(...documents: Person[]) {
  const disk = new SimulatedDisk();
  const store = await openSample(disk);
  if (documents.length > 0) store.transact((tx) => documents.map((each) => tx.insert(people, each)));
  await store.settled();
  return { store, disk };
}

test("a transaction that throws changes nothing, in memory or on disk", async () => {
  const { store, disk } = await storeWith(ann, ben);
  const before = stateOf(store);
  const written = disk.counts.write;
  const change = (tx: Transaction) => {
    tx.update(people, { ...ann, name: "anna", team: 2, state: "blocked" });
    tx.remove(people, 2);
    tx.insert(people, { id: 3, name: "ben", team: 3, state: "active" });
    tx.insert(notes, { id: 1, author: 1, text: "hello" });
    tx.nextId("invoices");
    throw new Error("no");
  };
  expect(() => store.transact(change)).toThrow("no");
  expect(stateOf(store)).toEqual(before);
  expect(indexFault(store)).toBeUndefined();
  expect([...store.of(notes).by.author.find(1)]).toEqual([]);
  expect(store.settled()).toBeUndefined();
  expect(disk.counts.write).toBe(written);
  expect(store.transact((tx) => tx.nextId("invoices"))).toBe(1);
  await store.close();
});

test("a taken unique key rolls back every index of every collection", async () => {
  const { store } = await storeWith(ann, ben);
  const before = stateOf(store);
  const change = (tx: Transaction) => {
    tx.insert(notes, { id: 1, author: 2, text: "hello" });
    tx.update(people, { ...ben, team: 9, state: "blocked", name: "ann" });
  };
  expect(() => store.transact(change)).toThrow("people.name: ann is taken");
  expect(stateOf(store)).toEqual(before);
  expect(indexFault(store)).toBeUndefined();
  expect([...store.of(people).by.team.find(9)]).toEqual([]);
  await store.close();
});

test("a document that a transaction changes twice is one change, and a released key can be taken in it", async () => {
  const { store, disk } = await storeWith(ann, ben);
  store.transact((tx) => {
    tx.update(people, { ...ann, name: "cat" });
    tx.update(people, { ...ben, name: "ann" });
    tx.update(people, { ...ann, name: "ben" });
  });
  store.transact((tx) => {
    tx.insert(people, { id: 3, name: "passing", team: 1, state: "active" });
    tx.remove(people, 3);
  });
  await store.settled();
  const reopened = await openSample(disk.afterPowerLoss(1));
  expect(stateOf(reopened)).toEqual(stateOf(store));
  expect(reopened.of(people).by.name.find("ann")).toBe(2);
  expect(reopened.of(people).by.name.find("ben")).toBe(1);
  expect(indexFault(reopened)).toBeUndefined();
  await store.close();
  await reopened.close();
});

test("a transaction within a transaction is refused, and the outer one can continue", async () => {
  const { store } = await storeWith();
  store.transact((tx) => {
    tx.insert(people, ann);
    expect(() => store.transact((inner) => inner.insert(people, ben))).toThrow("a transaction is already running");
  });
  expect(store.of(people).size).toBe(1);
  expect(() =>
    store.transact(() => {
      throw new Error("no");
    }),
  ).toThrow("no");
  store.transact((tx) => tx.insert(people, ben));
  expect(store.of(people).size).toBe(2);
  await store.close();
});

test("a missing document cannot be updated or removed, an existing one cannot be inserted, and an id is a whole number from 1", async () => {
  const { store } = await storeWith(ann);
  const refusals: [(tx: Transaction) => unknown, string][] = [
    [(tx) => tx.insert(people, ann), "people: 1 exists"],
    [(tx) => tx.update(people, ben), "people: no 2"],
    [(tx) => tx.remove(people, 2), "people: no 2"],
    [(tx) => tx.insert(people, { ...ben, id: 0 }), "people: 0 is no id"],
    [(tx) => tx.insert(people, { ...ben, id: 1.5 }), "people: 1.5 is no id"],
    [(tx) => tx.insert(people, { ...ben, id: Number.NaN }), "people: NaN is no id"],
  ];
  const before = stateOf(store);
  for (const [change, message] of refusals) expect(() => store.transact(change)).toThrow(message);
  expect(stateOf(store)).toEqual(before);
  await store.close();
});

test("a transaction that changes nothing writes nothing", async () => {
  const { store, disk } = await storeWith(ann);
  const calls = disk.counts.total;
  expect(store.transact(() => "nothing")).toBe("nothing");
  expect(store.settled()).toBeUndefined();
  expect(disk.counts.total).toBe(calls);
  await store.close();
});

test("a number of a sequence is never given twice, after any removals and openings of the store", async () => {
  let disk = new SimulatedDisk();
  const given: number[] = [];
  for (let life = 0; life < 6; life += 1) {
    const store = await openSample(disk);
    for (let n = 0; n < 5; n += 1) {
      const id = store.transact((tx) => {
        const next = tx.nextId("people");
        tx.insert(people, { id: next, name: `p${next}`, team: 1, state: "active" });
        return next;
      });
      given.push(id);
      await store.settled();
      if (n > 2) store.transact((tx) => tx.remove(people, id));
      expect(() =>
        store.transact((tx) => {
          tx.nextId("people");
          throw new Error("not this one");
        }),
      ).toThrow();
    }
    if (life % 3 === 0) await store.checkpoint();
    await store.settled();
    const next = life % 2 === 0 ? disk.afterPowerLoss(life) : disk;
    await store.close();
    disk = next;
  }
  expect(given).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    id: fc.integer({ min: 1, max: 30 }),
    team: fc.integer({ min: 0, max: 4 }),
  }),
  fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 30 }) }),
);

test("any transactions, some of which throw half-way, leave the changes of the complete ones, and matching indexes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(step, { maxLength: 6 }), fc.boolean()), { maxLength: 25 }),
      async (transactions) => {
        const ledger = new Ledger();
        const store = await ledger.open(new SimulatedDisk());
        for (const [steps, throws] of transactions) {
          if (!throws) ledger.change(store, steps);
          else {
            const attempt = () =>
              store.transact((tx) => {
                for (const each of steps) {
                  if (store.of(people).get(each.id) !== undefined) tx.remove(people, each.id);
                  else tx.insert(people, { id: each.id, name: `other ${each.id}`, team: 7, state: "blocked" });
                }
                throw new Error("half-way");
              });
            expect(attempt).toThrow("half-way");
          }
          expect(stateOf(store)).toEqual(ledger.last);
          expect(indexFault(store)).toBeUndefined();
        }
        await store.close();
      },
    ),
    { numRuns: 60 },
  );
});

test("a transaction counts the characters of the texts that it writes, as they are in JSON", async () => {
  const { store } = await storeWith(ann);
  const lengthOf = (name: string) =>
    store.transact((tx) => {
      tx.update(people, { ...ann, name });
      return tx.textLength;
    });
  const other = ann.state.length;
  expect(lengthOf("ben")).toBe(3 + other);
  expect(lengthOf("x".repeat(10_000))).toBe(10_000 + other);
  expect(lengthOf("\u0001".repeat(10_000))).toBe(60_000 + other);
  await store.close();
});
