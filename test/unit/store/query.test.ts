import { expect, test } from "bun:test";
import fc from "fast-check";
import type { PageRequest, Position } from "../../../src/domain/page.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import {
  Bitmap,
  bitmap,
  type Condition,
  collection,
  field,
  multi,
  ordered,
  type Query,
  type RecordOf,
  record,
  Store,
  text,
  unique,
} from "../../../src/store/index.ts";
import { createRandom } from "../../support/checks/random.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

const Item = record({
  id: field.whole,
  code: field.text,
  owner: field.whole,
  state: field.text,
  size: field.whole,
  title: field.text,
});
type Item = RecordOf<typeof Item>;

const items = collection("items", Item, {
  indexes: {
    code: unique((item) => item.code),
    owner: multi((item) => [item.owner]),
    state: bitmap((item) => [item.state]),
    id: ordered((item) => item.id),
    size: ordered((item) => item.size),
    title: ordered((item) => item.title),
    words: text({ title: (item) => item.title, code: (item) => item.code }),
  },
});

type ItemQuery = Query<Item, (typeof items)["indexes"]>;
type ItemCondition = Condition<(typeof items)["indexes"]>;

function holds(condition: ItemCondition, item: Item): boolean {
  if ("not" in condition) return !holds(condition.not, item);
  if ("anyOf" in condition) return condition.anyOf.some((each) => holds(each, item));
  if ("ids" in condition) return new Set(condition.ids).has(item.id);
  if ("contains" in condition) {
    const texts = [
      ...(condition.in?.includes("title") === false ? [] : [item.title]),
      ...(condition.in?.includes("code") === false ? [] : [item.code]),
    ];
    return condition.contains.every((word) => texts.some((each) => each.toLowerCase().includes(word.toLowerCase())));
  }
  const value: string | number = item[condition.index as "owner" | "title"];
  if ("key" in condition) return value === condition.key;
  return (
    (condition.from === undefined || value >= condition.from) && (condition.to === undefined || value <= condition.to)
  );
}

/** Filters and sorts all documents, without an index. */
function listed(all: readonly Item[], query: Omit<ItemQuery, "page">): Item[] {
  const key = query.order as "id" | "size" | "title";
  const direction = query.descending ? -1 : 1;
  const found = all
    .filter((item) => query.where.every((each) => holds(each, item)) && (query.matches?.(item) ?? true))
    .sort((a, b) => direction * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.id - b.id));
  const leading = [...new Set(query.first)].flatMap((id) => found.find((item) => item.id === id) ?? []);
  return [...leading, ...found.filter((item) => !leading.includes(item))];
}

async function storeOf(all: readonly Item[], isSearchReady = true): Promise<Store> {
  const store = await Store.open({
    folder: "/data",
    collections: [items],
    clock: { now: () => 0 },
    randomness: systemRandomness,
    log: silentLog,
    disk: new SimulatedDisk(),
    lock: () => ({ release() {} }),
    onDiskFailure: (error) => {
      throw error;
    },
  });
  store.transact((tx) => {
    for (const item of all) tx.insert(items, item);
  });
  if (isSearchReady) {
    store.startBackgroundWork();
    await store.backgroundWorkDone();
  }
  return store;
}

const itemOf = fc.record({
  owner: fc.integer({ min: 1, max: 5 }),
  state: fc.constantFrom("open", "closed", "locked"),
  size: fc.integer({ min: 0, max: 9 }),
  title: fc.constantFrom("Ab", "ab", "b", "ä", "", "zz", "漢"),
});
const someItems = fc
  .array(itemOf, { maxLength: 60 })
  .map((all) => all.map((item, n): Item => ({ ...item, id: n + 1, code: `c${n + 1}` })));

const someIds = fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 12 });

const { condition } = fc.letrec<{ condition: ItemCondition; simple: ItemCondition }>((tie) => ({
  simple: fc.oneof(
    fc.record({ index: fc.constant("owner" as const), key: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ index: fc.constant("state" as const), key: fc.constantFrom("open", "closed", "gone") }),
    fc.record({ index: fc.constant("code" as const), key: fc.constantFrom("c1", "c7", "c99") }),
    fc.record({
      index: fc.constant("size" as const),
      from: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
      to: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    }),
    fc.record({
      index: fc.constant("words" as const),
      contains: fc.array(fc.constantFrom("a", "AB", "c1", "ä", "", "c2", "z", "漢"), { maxLength: 2 }),
      in: fc.constantFrom(undefined, ["title"], ["code"], ["title", "code"]),
    }),
    fc.record({ ids: someIds }),
    fc.record({ ids: someIds.map((ids) => new Set(ids)) }),
    fc.record({ ids: someIds.map((ids) => Bitmap.of(ids)) }),
  ),
  condition: fc.oneof(
    { weight: 4, arbitrary: tie("simple") },
    { weight: 1, arbitrary: fc.record({ anyOf: fc.array(tie("simple"), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie("simple") }) },
    { weight: 1, arbitrary: fc.record({ anyOf: fc.array(tie("condition"), { maxLength: 2 }) }) },
  ),
}));

const question = fc.record({
  where: fc.array(condition, { maxLength: 3 }),
  order: fc.constantFrom("id" as const, "size" as const, "title" as const),
  descending: fc.boolean(),
  matches: fc.option(
    fc.constant((item: Item) => (item.id * 7) % 3 !== 0),
    { nil: undefined },
  ),
});

test("an offset page equals that of a filter and a sort over everything, with the total and whether more follows", async () => {
  await fc.assert(
    fc.asyncProperty(
      someItems,
      fc.array(fc.tuple(question, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 20 })), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
      fc.boolean(),
      async (all, questions, leading, isSearchReady) => {
        const store = await storeOf(all, isSearchReady);
        for (const [asked, page, perPage] of questions) {
          for (const first of [undefined, leading.filter((id) => id <= all.length)]) {
            const expected = listed(all, { ...asked, first });
            const found = store.page(items, { ...asked, first, page: { kind: "offset", page, perPage } });
            expect(found.items).toEqual(expected.slice((page - 1) * perPage, page * perPage));
            expect(found.total).toBe(expected.length);
            expect(found.hasNext).toBe(expected.length > page * perPage);
          }
          const counted = all.filter((item) => asked.where.every((each) => holds(each, item)));
          expect(store.count(items, asked.where)).toBe(counted.length);
          const part = { index: "state", key: "closed" } as const;
          expect(store.countWithPart(items, asked.where, part)).toEqual({
            all: counted.length,
            part: counted.filter(({ state }) => state === "closed").length,
          });
        }
        await store.close();
      },
    ),
    { numRuns: 150 },
  );
});

test("a keyset walk returns everything once and in order, with any additions, changes and removals between the pages", async () => {
  await fc.assert(
    fc.asyncProperty(
      someItems,
      question,
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.record({ id: fc.integer({ min: 1, max: 80 }), item: fc.option(itemOf, { nil: undefined }) }), {
        maxLength: 12,
      }),
      async (all, asked, perPage, changes) => {
        const store = await storeOf(all);
        const current = new Map(all.map((item) => [item.id, item]));
        const key = asked.order;
        const isAfter = (item: Item, after: Position) => {
          const above = item[key] > after.key || (item[key] === after.key && item.id > after.id);
          const same = item[key] === after.key && item.id === after.id;
          return asked.descending ? !above && !same : above;
        };
        let after: Position | undefined;
        for (let n = 0; n < 100; n += 1) {
          const request: PageRequest = { kind: "keyset", after, perPage };
          const page = store.page(items, { ...asked, page: request });
          const from = after;
          const rest = listed([...current.values()], asked).filter((item) => from === undefined || isAfter(item, from));
          expect([...page.items]).toEqual(rest.slice(0, perPage));
          expect(page.hasNext).toBe(rest.length > perPage);
          expect(page.total).toBeUndefined();
          const last = page.items.at(-1);
          expect(page.next).toEqual(page.hasNext && last !== undefined ? { key: last[key], id: last.id } : undefined);
          if (page.next === undefined) break;
          after = page.next;
          const { id, item } = changes[n] ?? {};
          if (id === undefined) continue;
          store.transact((tx) => {
            const changed = item && { ...item, id, code: `c${id}` };
            if (changed === undefined) {
              if (current.delete(id)) tx.remove(items, id);
            } else if (current.has(id)) tx.update(items, changed);
            else tx.insert(items, changed);
            if (changed !== undefined) current.set(id, changed);
          });
        }
        await store.close();
      },
    ),
    { numRuns: 200 },
  );
});

test(`large sets, found by a walk or sorted, give the same pages, and totals up to 10,000 (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const all = Array.from(
    { length: 40_000 },
    (_, n): Item => ({
      id: n + 1,
      code: `c${n + 1}`,
      owner: random.integer(1, 4_000),
      // 38,000 open, 1,990 closed and 10 locked ones.
      state: n % 4_000 === 0 ? "locked" : n % 20 === 1 ? "closed" : "open",
      size: random.integer(0, 1_000),
      title: random.text(3),
    }),
  );
  const store = await storeOf(all);
  const wheres: ItemCondition[][] = [
    [],
    [{ index: "state", key: "open" }],
    [{ index: "state", key: "closed" }],
    [
      { index: "state", key: "open" },
      { index: "size", from: 100, to: 400 },
    ],
    [{ not: { index: "state", key: "open" } }],
    [{ index: "state", key: "open" }, { not: { index: "owner", key: 3 } }],
    [
      {
        anyOf: [
          { index: "state", key: "locked" },
          { index: "owner", key: 17 },
        ],
      },
    ],
    [{ index: "size", from: undefined, to: 249 }],
    // At the end of the order: a walk from the start meets nobody for long.
    [{ index: "size", from: 900, to: undefined }],
    [
      { index: "size", from: 700, to: undefined },
      { index: "size", from: undefined, to: 950 },
    ],
    [{ not: { index: "size", from: 10, to: undefined } }, { not: { index: "owner", key: 9 } }],
    // Nearly everybody, few, a few hundred, and with a scope.
    [{ index: "words", contains: ["c"], in: ["code"] }],
    [{ index: "words", contains: ["123"] }],
    [{ index: "words", contains: ["99", "1"], in: ["code"] }],
    [
      { index: "words", contains: ["1"], in: ["code"] },
      { index: "state", key: "closed" },
    ],
    [{ not: { index: "words", contains: ["1"], in: ["code"] } }],
  ];
  for (const where of wheres) {
    for (const order of ["id", "size", "title"] as const) {
      for (const descending of [false, true]) {
        for (const matches of [undefined, (item: Item) => item.id % 5 !== 0]) {
          const asked = { where, order, descending, matches };
          const expected = listed(all, asked);
          if (matches === undefined) {
            const part = { index: "size", from: 300, to: 700 } as const;
            expect(store.countWithPart(items, where, part)).toEqual({
              all: expected.length,
              part: expected.filter(({ size }) => size >= 300 && size <= 700).length,
            });
          }
          for (const page of [1, 2, 40, 200, 780]) {
            const found = store.page(items, { ...asked, page: { kind: "offset", page, perPage: 50 } });
            const isThere = (page - 1) * 50 < expected.length;
            expect(found.items.map((item) => item.id)).toEqual(
              expected.slice((page - 1) * 50, page * 50).map((item) => item.id),
            );
            expect(found.total).toBe(expected.length > 10_000 ? undefined : expected.length);
            if (isThere) expect(found.hasNext).toBe(expected.length > page * 50);
          }
          const place = expected[random.integer(0, expected.length - 1)] as Item;
          const after = { key: place[order], id: place.id };
          const found = store.page(items, { ...asked, page: { kind: "keyset", after, perPage: 50 } });
          const index = expected.indexOf(place);
          expect(found.items.map((item) => item.id)).toEqual(
            expected.slice(index + 1, index + 51).map((item) => item.id),
          );
        }
      }
    }
  }
  await store.close();
}, 600_000);

test("exactly 10,000 are counted, one more is not", async () => {
  const all = Array.from(
    { length: 10_001 },
    (_, n): Item => ({ id: n + 1, code: `c${n}`, owner: 1, state: "open", size: n, title: "" }),
  );
  const store = await storeOf(all);
  for (const where of [[], [{ index: "state", key: "open" }]] as ItemCondition[][]) {
    for (const matches of [undefined, () => true]) {
      const asked = {
        where,
        matches,
        order: "size",
        descending: false,
        page: { kind: "offset", page: 1, perPage: 20 },
      } as const;
      expect(store.page(items, asked).total).toBeUndefined();
      expect(store.page(items, asked).hasNext).toBe(true);
    }
  }
  store.transact((tx) => tx.remove(items, 77));
  for (const where of [[], [{ index: "state", key: "open" }]] as ItemCondition[][]) {
    for (const matches of [undefined, () => true]) {
      const asked = {
        where,
        matches,
        order: "size",
        descending: false,
        page: { kind: "offset", page: 500, perPage: 20 },
      } as const;
      expect(store.page(items, asked).total).toBe(10_000);
      expect(store.page(items, asked).hasNext).toBe(false);
    }
  }
  await store.close();
});

test("many keys at once, tested one by one or made bits, are those of their documents", async () => {
  const random = createRandom(seed);
  const all = Array.from(
    { length: 20_000 },
    (_, n): Item => ({
      id: n + 1,
      code: `c${n + 1}`,
      owner: random.integer(1, 2_000),
      state: n % 20 === 1 ? "closed" : "open",
      size: random.integer(0, 1_000),
      title: "",
    }),
  );
  const store = await storeOf(all);
  const keys = Array.from({ length: 300 }, (_, n) => ({ index: "owner" as const, key: n + 1 }));
  const isOfThem = ({ owner }: Item) => owner <= 300;
  const wheres: readonly (readonly [ItemCondition[], (item: Item) => boolean])[] = [
    [[{ anyOf: keys }], isOfThem],
    [[{ not: { anyOf: keys } }], (item) => !isOfThem(item)],
    [[{ anyOf: keys }, { index: "owner", key: 7 }], ({ owner }) => owner === 7],
    [[{ anyOf: keys }, { index: "state", key: "closed" }], (item) => isOfThem(item) && item.state === "closed"],
    [
      [{ not: { anyOf: keys } }, { index: "size", from: 990, to: undefined }],
      (item) => !isOfThem(item) && item.size >= 990,
    ],
    [
      [{ not: { anyOf: keys } }, { index: "words", contains: ["1"] }],
      (item) => !isOfThem(item) && item.code.includes("1"),
    ],
    [[{ anyOf: [{ anyOf: keys }, { index: "owner", key: 301 }] }], ({ owner }) => owner <= 301],
  ];
  for (const [where, holds] of wheres) {
    const expected = all.filter(holds);
    const part = { index: "state", key: "closed" } as const;
    const closed = expected.filter(({ state }) => state === "closed").length;
    expect(store.countWithPart(items, where, part)).toEqual({ all: expected.length, part: closed });
    const page = { kind: "offset", page: 1, perPage: 50 } as const;
    const found = store.page(items, { where, order: "id", descending: false, page });
    expect(found.items).toEqual(expected.slice(0, 50));
  }
  await store.close();
});
