import { expect, test } from "bun:test";
import fc from "fast-check";
import { takeAtOnce } from "../../../src/lib/yield.ts";
import { MultiIndex } from "../../../src/store/indexes/multi-index.ts";
import { OrderedIndex } from "../../../src/store/indexes/ordered-index.ts";
import { TreeIndex } from "../../../src/store/indexes/tree-index.ts";
import { UniqueIndex } from "../../../src/store/indexes/unique-index.ts";
import { Bitmap } from "../../../src/store/query/bitmap.ts";
import { Postings } from "../../../src/store/query/postings.ts";
import { createRandom } from "../../support/checks/random.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

interface Entry {
  readonly id: number;
  readonly key: number;
  readonly tags: readonly string[];
}

/** Documents by id, and every index told of each change: the plainest thing that the indexes can be held against. */
class Documents {
  readonly byId = new Map<number, Entry>();
  readonly #indexes: readonly { replace(before: Entry | undefined, after: Entry | undefined): void }[];

  constructor(...indexes: readonly { replace(before: Entry | undefined, after: Entry | undefined): void }[]) {
    this.#indexes = indexes;
  }

  put(id: number, entry: Entry | undefined): void {
    const before = this.byId.get(id);
    if (before === undefined && entry === undefined) return;
    for (const index of this.#indexes) index.replace(before, entry);
    if (entry === undefined) this.byId.delete(id);
    else this.byId.set(id, entry);
  }

  sorted(): Entry[] {
    return [...this.byId.values()].sort((a, b) => a.key - b.key || a.id - b.id);
  }
}

function idsOf(entries: readonly Entry[]): number[] {
  return entries.map((entry) => entry.id);
}

function expectSameOrder(
  index: OrderedIndex<Entry>,
  sorted: readonly Entry[],
  random: ReturnType<typeof createRandom>,
): void {
  const ids = idsOf(sorted);
  const reversed = ids.toReversed();
  expect(index.size).toBe(ids.length);
  expect([...index.walk(false)]).toEqual(ids);
  expect([...index.walk(true)]).toEqual(reversed);
  for (let n = 0; n < 20; n += 1) {
    const offset = random.integer(0, ids.length + 2);
    const limit = random.integer(0, 60);
    expect(index.slice(offset, limit, false)).toEqual(ids.slice(offset, offset + limit));
    expect(index.slice(offset, limit, true)).toEqual(reversed.slice(offset, offset + limit));
    // Positions of entries, and between them: the document of a cursor may have gone.
    const after = { key: random.integer(-1, 60), id: random.integer(0, 3_000) };
    const isBehind = ({ key, id }: Entry) => key > after.key || (key === after.key && id > after.id);
    const isBefore = ({ key, id }: Entry) => key < after.key || (key === after.key && id < after.id);
    expect([...index.walk(false, after)]).toEqual(idsOf(sorted.filter(isBehind)));
    expect([...index.walk(true, after)]).toEqual(idsOf(sorted.filter(isBefore)).toReversed());
    const lowest = random.integer(0, 4) === 0 ? undefined : random.integer(-1, 60);
    const highest = random.integer(0, 4) === 0 ? undefined : random.integer(-1, 60);
    const within = sorted.filter(
      ({ key }) => (lowest === undefined || key >= lowest) && (highest === undefined || key <= highest),
    );
    expect([...index.between(lowest, highest)]).toEqual(idsOf(within));
  }
  const some = sorted[random.integer(0, Math.max(0, sorted.length - 1))];
  if (some !== undefined) {
    expect(index.positionOf(some.id)).toEqual({ key: some.key, id: some.id });
    expect([...index.walk(false, index.positionOf(some.id))]).toEqual(ids.slice(ids.indexOf(some.id) + 1));
    expect([...index.walk(true, index.positionOf(some.id))]).toEqual(ids.slice(0, ids.indexOf(some.id)).toReversed());
  }
}

test(`an order stays that of a sorted list through thousands of insertions, changes and removals (seed ${seed})`, () => {
  const random = createRandom(seed);
  const index = new OrderedIndex<Entry>((entry) => entry.key);
  const documents = new Documents(index);
  expectSameOrder(index, [], random);
  // Grows over several chunks, is shuffled, and shrinks to nothing.
  for (const [count, removing] of [
    [1_500, 0.1],
    [2_000, 0.5],
    [4_000, 0.9],
  ] as const) {
    for (let n = 0; n < count; n += 1) {
      const id = random.integer(1, 2_500);
      const key = random.integer(0, 50);
      documents.put(id, random.fraction() < removing ? undefined : { id, key, tags: [] });
    }
    expectSameOrder(index, documents.sorted(), random);
  }
  for (const id of documents.byId.keys()) documents.put(id, undefined);
  expectSameOrder(index, [], random);
  documents.put(5, { id: 5, key: 1, tags: [] });
  expectSameOrder(index, documents.sorted(), random);
});

test("an order takes ascending and descending keys, and equal keys", () => {
  const random = createRandom(seed);
  for (const keyOf of [
    (n: number) => n % 60,
    (n: number) => 60 - Math.floor(n / 40),
    () => 7,
    (n: number) => Math.floor(n / 40),
  ]) {
    const index = new OrderedIndex<Entry>((entry) => entry.key);
    const documents = new Documents(index);
    for (let n = 0; n < 2_100; n += 1) documents.put(n + 1, { id: n + 1, key: keyOf(n), tags: [] });
    expectSameOrder(index, documents.sorted(), random);
  }
});

test("an order that is filled at once is the same, and continues in the same way", () => {
  const random = createRandom(seed);
  for (const count of [0, 1, 447, 448, 449, 3_000]) {
    const index = new OrderedIndex<Entry>((entry) => entry.key);
    const documents = new Documents(index);
    const entries = Array.from(
      { length: count },
      (_, n): Entry => ({ id: n + 1, key: random.integer(0, 50), tags: [] }),
    );
    takeAtOnce(index.build(entries));
    for (const entry of entries) documents.byId.set(entry.id, entry);
    expectSameOrder(index, documents.sorted(), random);
    for (let n = 0; n < 1_000; n += 1) {
      const id = random.integer(1, 3_500);
      documents.put(id, random.fraction() < 0.3 ? undefined : { id, key: random.integer(0, 50), tags: [] });
    }
    expectSameOrder(index, documents.sorted(), random);
  }
});

test.each([
  ["texts", (n: number) => `name ${(n * 7919) % 100_003}`],
  ["numbers", (n: number) => (n * 7919) % 100_003],
])("an order of more %s than are sorted in one go is right", (_, keyOf) => {
  const count = 400_000;
  const index = new OrderedIndex<{ id: number; key: string | number }>(({ key }) => key);
  takeAtOnce(index.build(Array.from({ length: count }, (_, n) => ({ id: n + 1, key: keyOf(n) }))));
  let [met, before] = [0, index.positionOf(index.slice(0, 1, false)[0] as number)];
  for (const id of index.walk(false)) {
    const { key } = index.positionOf(id);
    const isInOrder = met === 0 || before.key < key || (before.key === key && before.id < id);
    if (!isInOrder) throw new Error(`${before.key} ${before.id} stands before ${key} ${id}`);
    before = { key, id };
    met += 1;
  }
  expect(met).toBe(count);
});

test("an order by the id itself stays right when another key comes", () => {
  const random = createRandom(seed);
  for (const isBuilt of [false, true]) {
    const index = new OrderedIndex<Entry>((entry) => entry.key);
    const documents = new Documents(index);
    const byId = (id: number): Entry => ({ id, key: id, tags: [] });
    const first = Array.from({ length: 50 }, (_, n) => byId(n + 1));
    if (isBuilt) takeAtOnce(index.build(first));
    for (const entry of first) isBuilt ? documents.byId.set(entry.id, entry) : documents.put(entry.id, entry);
    for (let n = 0; n < 40; n += 1) {
      const id = random.integer(1, 60);
      documents.put(id, random.fraction() < 0.5 ? undefined : byId(id));
    }
    expect(index.isById).toBe(true);
    expect(Array.from({ length: 61 }, (_, id) => index.keyOf(id))).toEqual(
      Array.from({ length: 61 }, (_, id) => documents.byId.get(id)?.key),
    );
    expectSameOrder(index, documents.sorted(), random);
    documents.put(70, { id: 70, key: 3, tags: [] });
    for (let n = 0; n < 200; n += 1) {
      const id = random.integer(1, 90);
      documents.put(id, random.fraction() < 0.3 ? undefined : { id, key: random.integer(0, 50), tags: [] });
    }
    expect(index.isById).toBe(false);
    expectSameOrder(index, documents.sorted(), random);
  }
});

test("an order throws for an unknown document", () => {
  const index = new OrderedIndex<Entry>((entry) => entry.key);
  expect(() => index.replace({ id: 1, key: 1, tags: [] }, undefined)).toThrow("no entry 1 1");
});

const change = fc.record({
  id: fc.integer({ min: 1, max: 40 }),
  entry: fc.option(
    fc.record({
      key: fc.integer({ min: 0, max: 15 }),
      tags: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 }),
    }),
    { nil: undefined },
  ),
});

test("an index with many ids for a key returns the ids of every key", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const lists = new MultiIndex<Entry>((entry) => entry.tags);
      const documents = new Documents(lists);
      for (const { id, entry } of changes) documents.put(id, entry && { id, ...entry });
      for (const tag of ["a", "b", "c", "d"]) {
        const expected = idsOf(documents.sorted().filter((entry) => entry.tags.includes(tag))).sort((a, b) => a - b);
        expect([...lists.find(tag)]).toEqual(expected);
        expect(lists.find(tag).size).toBe(expected.length);
      }
    }),
    { numRuns: 200 },
  );
});

test("a unique index returns the id of a key, and refuses a second one with nothing changed", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      // A key of 0 leaves the document out.
      const index = new UniqueIndex<Entry>("things.key", (entry) => (entry.key === 0 ? undefined : entry.key));
      const documents = new Documents(index);
      for (const { id, entry } of changes) {
        const holder = [...documents.byId.values()].find(
          (each) => each.key === entry?.key && each.id !== id && each.key !== 0,
        );
        if (holder === undefined) documents.put(id, entry && { id, ...entry });
        else expect(() => documents.put(id, entry && { id, ...entry })).toThrow(`things.key: ${entry?.key} is taken`);
        for (let key = 0; key <= 15; key += 1) {
          const expected = key === 0 ? undefined : [...documents.byId.values()].find((each) => each.key === key)?.id;
          expect(index.find(key)).toBe(expected);
        }
      }
    }),
    { numRuns: 100 },
  );
});

const ids = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 0, max: 200 })),
  fc.uniqueArray(fc.integer({ min: 0, max: 5_000 })),
);

function sorted(set: Iterable<number>): number[] {
  return [...set].sort((a, b) => a - b);
}

function together(left: readonly number[], right: readonly number[]): Bitmap {
  const bitmap = Bitmap.of(left.slice(0, 3));
  bitmap.addAll(left, 0, left.length, Math.max(0, ...left));
  bitmap.addAll([1, ...right, 1], 1, right.length + 1, Math.max(0, ...right));
  return bitmap;
}

test("a list of ids may change during a walk", () => {
  const random = createRandom(seed);
  for (const count of [10, 3_000]) {
    const postings = Postings.of(Array.from({ length: count }, (_, n) => n * 2));
    const met: number[] = [];
    for (const id of postings) {
      met.push(id);
      postings.delete(random.fraction() < 0.5 ? id : id + 2);
      if (id % 6 === 0) postings.add(id + 1);
    }
    expect(met).toEqual(sorted(new Set(met)));
    expect(met).toEqual(expect.arrayContaining(sorted(postings)));
  }
});

test("bitmaps are sets: and, or, without, size, membership and order", () => {
  fc.assert(
    fc.property(ids, ids, fc.array(fc.integer({ min: 0, max: 5_000 })), (left, right, removed) => {
      const [a, b] = [new Set(left), new Set(right)];
      const [x, y] = [Bitmap.of(left), Bitmap.of(right)];
      for (const id of removed) {
        a.delete(id);
        x.delete(id);
      }
      for (const [bits, set] of [
        [x, a],
        [y, b],
        [x.and(y), a.intersection(b)],
        [x.or(y), a.union(b)],
        [x.without(y), a.difference(b)],
        [y.without(x), b.difference(a)],
        [x.and(new Bitmap(0)), new Set<number>()],
        [x.or(new Bitmap(0)), a],
        [Bitmap.of(x).andWith(y), a.intersection(b)],
        [Bitmap.of(x).orWith(y), a.union(b)],
        [Bitmap.of(x).andNotWith(y), a.difference(b)],
        [together(left, right), new Set([...left, ...right])],
      ] as const) {
        expect([...bits]).toEqual(sorted(set));
        expect(bits.size).toBe(set.size);
        for (const id of [0, 31, 32, 63, 64, 5_000, 100_000, ...left.slice(0, 5)])
          expect(bits.has(id)).toBe(set.has(id));
        const all = sorted(set);
        for (const id of [0, 1, 31, 32, 1_000, 6_000]) {
          expect(bits.firstFrom(id)).toBe(all.find((each) => each >= id));
          expect(bits.lastUpTo(id)).toBe(all.findLast((each) => each <= id));
        }
      }
      expect(x.countAnd(y)).toBe(a.intersection(b).size);
      expect(Bitmap.countOf([x], [y]).all).toBe(a.difference(b).size);
      expect(Bitmap.countOf([x, y], [Bitmap.of(removed)]).all).toBe(
        a.intersection(b).difference(new Set(removed)).size,
      );
      expect(Bitmap.countOf([x], [], y)).toEqual({ all: a.size, part: a.intersection(b).size });
      // Operands stay as they were, and adding twice is adding once.
      expect([...x]).toEqual(sorted(a));
      x.add(77);
      x.add(77);
      expect(x.size).toBe(new Set([...a, 77]).size);
    }),
    { numRuns: 200 },
  );
});

test("a document with many keys changes a few of them, and keeps the others", () => {
  const index = new MultiIndex<Entry>(({ tags }) => tags);
  const entry = (from: number, to: number): Entry => {
    const tags = Array.from({ length: to - from }, (_, at) => `tag${from + at}`);
    return { id: 7, key: 1, tags };
  };
  const keysOf = () => [...index.keys()].toSorted();
  const steps = [entry(0, 100), entry(40, 120), entry(110, 115), entry(100, 200)];
  for (const [at, step] of steps.entries()) {
    index.replace(steps[at - 1], step);
    expect(keysOf()).toEqual(step.tags.toSorted());
    for (const tag of step.tags) expect([...index.find(tag)]).toEqual([7]);
  }
});

test("a tree has the places of its documents' paths, and no others", () => {
  const index = new TreeIndex<Entry>(({ key, tags }) => (key === 0 ? undefined : [key, ...tags]));
  const idsAt = (...path: (number | string)[]) => {
    let place = index.places.get(path[0] as number);
    for (const key of path.slice(1)) place = place?.next?.get(key);
    return place?.ids === undefined ? undefined : [...place.ids];
  };
  const [two, one, deep, out] = [
    { id: 2, key: 5, tags: ["a"] },
    { id: 1, key: 5, tags: ["a"] },
    { id: 3, key: 5, tags: ["a", "b"] },
    { id: 3, key: 0, tags: [] },
  ];
  takeAtOnce(index.build([two, one]));
  index.replace(undefined, deep);
  expect([idsAt(5), idsAt(5, "a"), idsAt(5, "a", "b"), idsAt(5, "b")]).toEqual([undefined, [1, 2], [3], undefined]);
  index.replace(deep, out);
  expect([idsAt(5, "a"), index.places.get(5)?.next?.get("a")?.next?.size]).toEqual([[1, 2], 0]);
  index.replace(out, deep);
  for (const entry of [one, two]) index.replace(entry, undefined);
  expect([idsAt(5, "a"), idsAt(5, "a", "b")]).toEqual([undefined, [3]]);
  index.replace(deep, undefined);
  expect(index.places.size).toBe(0);
});
