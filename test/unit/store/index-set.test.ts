import { expect, test } from "bun:test";
import fc from "fast-check";
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { takeAtOnce, yieldToOthers } from "../../../src/lib/yield.ts";
import { collection, field, type RecordOf, record, Store } from "../../../src/store/index.ts";
import { bitmap, type Index, multi, ordered, sum, tree, unique } from "../../../src/store/indexes/index.ts";
import { IndexSet } from "../../../src/store/indexes/index-set.ts";
import type { MultiIndex } from "../../../src/store/indexes/multi-index.ts";
import type { OrderedIndex } from "../../../src/store/indexes/ordered-index.ts";
import type { SumIndex } from "../../../src/store/indexes/sum-index.ts";
import type { TreeIndex, TreePlace } from "../../../src/store/indexes/tree-index.ts";
import type { UniqueIndex } from "../../../src/store/indexes/unique-index.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const seed = Number(process.env.TEST_SEED ?? 20_261_127);

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly owner: number;
  readonly weight: number;
}

const declared = {
  name: unique<Entry>(({ name }) => name),
  code: unique<Entry>(({ code }) => code),
  owner: multi<Entry>(({ owner }) => [owner]),
  is_heavy: bitmap<Entry>(({ weight }) => [weight > 5]),
  weight: ordered<Entry>(({ weight }) => weight),
  path: tree<Entry>(({ owner, weight }) => [owner, weight]),
  total: sum<Entry>(({ owner, weight }) => [String(owner), weight]),
};
type Name = keyof typeof declared;
const names = Object.keys(declared) as Name[];
const [owners, weights] = [5, 10];

const owner = fc.integer({ min: 0, max: owners - 1 });
const weight = fc.integer({ min: 0, max: weights - 1 });
/** Building yields after each 1,024 documents. */
const loadedCount = 2_500;

function entryOf(id: number, owner: number, weight: number): Entry {
  return { id, name: `name${id}`, code: `code${id}`, owner, weight };
}

/** The answers of an index about all documents. */
function contentOf(name: Name, index: Index<Entry>): unknown {
  switch (name) {
    case "name":
    case "code":
      return Array.from({ length: loadedCount + 200 }, (_, id) => (index as UniqueIndex<Entry>).find(`${name}${id}`));
    case "owner":
      return Array.from({ length: owners }, (_, key) => sorted((index as MultiIndex<Entry>).find(key)));
    case "is_heavy":
      return [true, false].map((key) => sorted((index as MultiIndex<Entry>).find(key)));
    case "weight":
      return [...(index as OrderedIndex<Entry>).walk(false)];
    case "path":
      return placesOf((index as TreeIndex<Entry>).places);
    case "total":
      return Array.from({ length: owners }, (_, key) => (index as SumIndex<Entry>).of(String(key)));
  }
}

function placesOf(places: ReadonlyMap<unknown, TreePlace>): unknown {
  return [...places]
    .map(([key, { ids, next }]) => [key, ids && sorted(ids), next && placesOf(next)])
    .sort(([one], [other]) => Number(one) - Number(other));
}

const sorted = (ids: Iterable<number>) => [...ids].sort((one, other) => one - other);

/** Documents as a store loads them, and an index set that was opened on them. */
class Opened {
  readonly byId = new Map<number, Entry>();
  readonly set = new IndexSet<Entry>("entries", declared, () => [...this.byId.values()]);
  /** Resolved for the next step of `buildRest`. */
  #goOn: ((mayGoOn: boolean) => void) | undefined;

  constructor(count = loadedCount) {
    for (let id = 1; id <= count; id += 1) {
      this.byId.set(id, entryOf(id, id % owners, (id * 7) % weights));
    }
    takeAtOnce(this.set.buildUnique());
  }

  readonly pace = () =>
    new Promise<boolean>((resolve) => {
      this.#goOn = resolve;
    });

  /** Lets the background take one step. */
  async step(mayGoOn = true): Promise<void> {
    this.#goOn?.(mayGoOn);
    this.#goOn = undefined;
    await yieldToOthers();
  }

  put(id: number, entry: Entry | undefined): void {
    this.set.replace(this.byId.get(id), entry);
    if (entry === undefined) this.byId.delete(id);
    else this.byId.set(id, entry);
  }

  /** The content of an index that was told of each document, one after the other. */
  expected(name: Name): unknown {
    const plain = new IndexSet<Entry>("entries", { [name]: declared[name] }, () => []);
    for (const entry of this.byId.values()) plain.replace(undefined, entry);
    return contentOf(name, plain.by[name] as Index<Entry>);
  }

  expectRight(name: Name): void {
    expect(contentOf(name, this.set.by[name] as Index<Entry>)).toEqual(this.expected(name));
    expect(this.set.get(name)).toBe(this.set.by[name] as Index<Entry>);
  }
}

test("indexes say the same whether a use, the background or a change came first", async () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant("step" as const) }),
    fc.record({ kind: fc.constant("use" as const), name: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant("put" as const), id: fc.integer({ min: 1, max: loadedCount + 100 }), owner, weight }),
    fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 1, max: loadedCount }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      const opened = new Opened();
      const built = opened.set.buildRest(opened.pace);
      for (const each of actions) {
        if (each.kind === "step") await opened.step();
        else if (each.kind === "use") opened.expectRight(each.name);
        else if (each.kind === "remove") opened.put(each.id, undefined);
        else opened.put(each.id, entryOf(each.id, each.owner, each.weight));
      }
      let isBuilt = false;
      void built.then(() => {
        isBuilt = true;
      });
      while (!isBuilt) await opened.step();
      for (const name of names) opened.expectRight(name);
    }),
    { numRuns: 40, seed },
  );
});

test("a unique index is built at once, and refuses documents and changes", () => {
  const opened = new Opened(10);
  for (const taken of ["name", "code"] as const) {
    const entry = { ...entryOf(11, 0, 0), [taken]: `${taken}3` };
    expect(() => opened.put(11, entry)).toThrow(`entries.${taken}: ${taken}3 is taken`);
    for (const name of names) opened.expectRight(name);
    expect(() => opened.put(11, entry)).toThrow(`entries.${taken}: ${taken}3 is taken`);
    for (const name of names) opened.expectRight(name);
  }
  const same = [1, 2].map((id) => ({ ...entryOf(id, 0, 0), code: "one" }));
  const twice = new IndexSet<Entry>("entries", declared, () => same);
  expect(() => takeAtOnce(twice.buildUnique())).toThrow("entries.code: one is taken twice");
});

test("a stop of the background leaves the rest to the first use", async () => {
  const opened = new Opened();
  const built = opened.set.buildRest(opened.pace);
  await opened.step();
  await opened.step(false);
  await built;
  opened.put(7, undefined);
  for (const name of names) opened.expectRight(name);
});

test("an index that could not be built is built anew by the next use", () => {
  let isBroken = true;
  const keyOf = ({ owner }: Entry): readonly [string, number] => {
    if (isBroken && owner === 3) throw new Error("no owner");
    return [String(owner), 1];
  };
  const entries = [1, 2, 3].map((id) => entryOf(id, id, 0));
  const set = new IndexSet<Entry>("entries", { amount: sum(keyOf) }, () => entries);
  takeAtOnce(set.buildUnique());
  expect(() => set.by.amount).toThrow("no owner");
  expect(() => set.by.amount).toThrow("no owner");
  isBroken = false;
  expect((set.by.amount as SumIndex<Entry>).total).toBe(3);
});

test("a store that cannot build an index reports damage, and closes", async () => {
  await using folder = await createTempFolder();
  let isBroken = false;
  const Thing = record({ id: field.whole, name: field.text });
  const indexes = {
    broken: ordered<RecordOf<typeof Thing>>(({ name }) => {
      if (isBroken) throw new Error("no such order");
      return name;
    }),
    name: multi<RecordOf<typeof Thing>>(({ name }) => [name]),
  };
  const things = collection("things", Thing, { indexes });
  const found: string[] = [];
  const open = () =>
    Store.open({
      folder: folder.path,
      collections: [things],
      clock: systemClock,
      randomness: systemRandomness,
      log: silentLog,
      onDiskFailure: (error) => {
        throw error;
      },
      onDamage: (damage) => found.push(damage),
    });
  const first = await open();
  first.transact((tx) => tx.insert(things, { id: 1, name: "one" }));
  await first.close();
  isBroken = true;
  const second = await open();
  second.startBackgroundWork();
  await second.backgroundWorkDone();
  expect(found).toEqual(["an index of things cannot be built: Error: no such order"]);
  expect(second.isSearchReady).toBe(false);
  expect([...second.of(things).by.name.find("one")]).toEqual([1]);
  await second.close();
});
