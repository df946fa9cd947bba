import { expect, test } from "bun:test";
import fc from "fast-check";
import { systemClock } from "../../../../src/domain/clock.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { field, log, type RecordOf, record, Store } from "../../../../src/store/index.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

const Entry = record({
  id: field.whole,
  at: field.whole,
  group: field.whole,
});
type Entry = RecordOf<typeof Entry>;

const entries = log("entries", Entry, {
  timeOf: (entry) => entry.at,
  keysOf: (entry) => [`group ${entry.group}`],
  hasTimeOrder: true,
});

function openStore(folder: string): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const dependencies = { clock: systemClock, randomness: systemRandomness, log: silentLog };
  return Store.open({ folder, collections: [entries], onDiskFailure, ...dependencies });
}

const append = (store: Store, made: readonly Omit<Entry, "id">[]) =>
  store.transact((tx) => made.map((each) => tx.append(entries, { id: tx.nextId("entries"), ...each })));

/** The order itself: the latest first, of one time the youngest. */
const inOrder = (all: readonly Entry[], group: number) =>
  all.filter((entry) => entry.group === group).toSorted((a, b) => b.at - a.at || b.id - a.id);

test("entries of a key are found by time, in any order of arrival, sealed or not", async () => {
  await using folder = await createTempFolder();
  let store = await openStore(folder.path);
  // Zero and times before 1970 are times like others.
  const times = fc.sample(fc.integer({ min: -3, max: 400 }), { seed: 7, numRuns: 2500 });
  const all = append(
    store,
    times.map((at, index) => ({ at, group: index % 3 === 0 ? 1 : index % 50 })),
  );
  const check = () => {
    for (const group of [1, 7, 49, 99]) {
      const expected = inOrder(all, group);
      for (const page of [1, 2, 3, 40]) {
        const found = store.logOf(entries).latest(`group ${group}`, { kind: "offset", page, perPage: 20 });
        const wanted = expected.slice((page - 1) * 20, page * 20);
        expect(found.items).toEqual(wanted);
        expect(found.total).toBe(expected.length);
        expect(found.hasNext).toBe(wanted.length > 0 && expected.length > page * 20);
      }
    }
  };
  check();
  await store.close();
  store = await openStore(folder.path);
  check();
  all.push(
    ...append(store, [
      { at: 200, group: 1 },
      { at: 401, group: 7 },
    ]),
  );
  check();
  await store.close();
});

test("entries of a failed transaction are in no order", async () => {
  await using folder = await createTempFolder();
  const store = await openStore(folder.path);
  append(store, [{ at: 5, group: 1 }]);
  expect(() =>
    store.transact((tx) => {
      tx.append(entries, { id: tx.nextId("entries"), at: 9, group: 1 });
      throw new Error("no");
    }),
  ).toThrow("no");
  const { items } = store.logOf(entries).latest("group 1", { kind: "offset", page: 1, perPage: 20 });
  expect(items.map(({ at }) => at)).toEqual([5]);
  await store.close();
});
