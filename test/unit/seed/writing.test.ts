import { expect, test } from "bun:test";
import { type AuditEventRecord, auditEvents } from "../../../src/modules/core/audit-events/records.ts";
import { Writing } from "../../../src/seed/writing.ts";
import { collection, field, record, type Store, type Transaction } from "../../../src/store/index.ts";

const things = collection("things", record({ id: field.whole }));

/** A store that only notes what each transaction wrote, and is as slow as it is told to be. */
function notingStore(settled: () => Promise<void> | undefined = () => undefined) {
  const transactions: { readonly name: string; readonly id: number }[][] = [];
  let last = 0;
  const put = (into: { readonly name: string }, document: { readonly id: number }) => {
    transactions.at(-1)?.push({ name: into.name, id: document.id });
    return document;
  };
  const transaction = {
    insert: put,
    append: put,
    nextId() {
      last += 1;
      return last;
    },
  } as unknown as Transaction;
  const store = {
    transact(change: (tx: Transaction) => void) {
      transactions.push([]);
      change(transaction);
    },
    settled,
  } as unknown as Store;
  return { store, transactions };
}

function* inserting(writing: Writing, count: number): Generator<undefined> {
  for (let at = 0; at < count; at += 1) {
    writing.insert(things, { id: writing.nextId("things") });
    yield undefined;
  }
}

test("many documents are written in transactions of a bounded size", async () => {
  const { store, transactions } = notingStore();
  const writing = new Writing();
  const told: number[] = [];
  await writing.run(store, inserting(writing, 5_000), (documents) => told.push(documents));
  expect(Math.max(...transactions.map(({ length }) => length))).toBeLessThan(1_000);
  expect(transactions.flat().map(({ id }) => id)).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1));
  expect([writing.documents, told.at(-1)]).toEqual([5_000, 5_000]);
});

test("a step that is far ahead of the disk waits for it", async () => {
  const disk = Promise.withResolvers<void>();
  const { store, transactions } = notingStore(() => disk.promise);
  const writing = new Writing();
  const run = writing.run(store, inserting(writing, 50_000));
  for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
  expect(transactions.length).toBeWithin(2, 20);
  disk.resolve();
  await run;
  expect(transactions.flat()).toHaveLength(50_000);
});

test("audit events come last, in the order of their times", async () => {
  const { store, transactions } = notingStore();
  const writing = new Writing();
  const times = ["2026-03-01", "2026-01-01", "2026-02-01", "2026-01-01"];
  await writing.runOne(store, () => {
    for (const time of times) {
      const event = { id: writing.nextId("audit_events"), created_at: time } as AuditEventRecord;
      writing.append(auditEvents, event);
      writing.insert(things, { id: writing.nextId("things") });
    }
  });
  expect(transactions.flat().map(({ name }) => name)).toEqual(["things", "things", "things", "things"]);
  expect(writing.documents).toBe(8);
  await writing.run(store, writing.writeTrail());
  // The ids that the services drew, given anew.
  expect(transactions.at(-1)).toEqual([1, 3, 5, 7].map((id) => ({ name: "audit-events", id })));
  expect(writing.documents).toBe(8);
});
