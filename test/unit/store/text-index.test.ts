import { expect, test } from "bun:test";
import fc from "fast-check";
import { blockOf, normalise, TextField } from "../../../src/store/indexes/text-field.ts";
import { TextIndex } from "../../../src/store/indexes/text-index.ts";
import { Bitmap } from "../../../src/store/query/bitmap.ts";

interface Person {
  readonly id: number;
  readonly name: string;
  readonly about: string;
}

const always = () => true as const;

/** Documents by id, the index told of each change, and how often a document was looked at. */
class People {
  readonly ids = new Bitmap();
  readonly index = new TextIndex<Person>({ name: (person) => person.name, about: (person) => person.about });
  readonly #byId = new Map<number, Person>();
  reads = 0;

  get(id: number): Person | undefined {
    this.reads += 1;
    return this.#byId.get(id);
  }

  put(id: number, texts: { name: string; about?: string } | undefined): void {
    const before = this.#byId.get(id);
    const after = texts && { id, about: "", ...texts };
    this.index.replace(before, after);
    if (after === undefined) {
      this.#byId.delete(id);
      this.ids.delete(id);
    } else {
      this.#byId.set(id, after);
      this.ids.add(id);
    }
  }

  /** As plainly as can be said. */
  matching(words: readonly string[], fields: readonly ("name" | "about")[]): number[] {
    return [...this.#byId.values()]
      .filter((person) =>
        words.every((word) => fields.some((field) => person[field].toLowerCase().includes(word.toLowerCase()))),
      )
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }

  found(words: readonly string[], fields?: readonly string[]): number[] {
    return this.index.search(words, fields, this).list();
  }
}

test("until it is filled it reads documents, and only the requested ones", () => {
  const people = new People();
  people.put(1, { name: "Mara" });
  people.put(2, { name: "Jonas" });
  const search = people.index.search(["mar"], undefined, people);
  expect([1, 2, 3].filter((id) => search.has(id))).toEqual([1]);
  expect(search.listCost).toBe(Number.POSITIVE_INFINITY);
  expect(people.reads).toBe(3);
  expect(people.index.isComplete).toBe(false);
});

test("once it is filled it reads no document, for any length of a word", async () => {
  const people = new People();
  people.put(1, { name: "Mara" });
  people.put(40, { name: "Amalie", about: "of MA" });
  await people.index.fill(people, always);
  people.reads = 0;
  for (const word of ["m", "ma", "MA", "a"]) expect(people.found([word])).toEqual([1, 40]);
  expect(people.found(["of ma"])).toEqual([40]);
  expect(people.found(["of ma"], ["name"])).toEqual([]);
  expect(people.found([])).toEqual([1, 40]);
  expect(people.index.search(["lie"], ["name"], people).has(40)).toBe(true);
  expect(people.reads).toBe(0);
});

test("a match never spans two texts", async () => {
  const people = new People();
  people.put(1, { name: "abc", about: "xyz" });
  people.put(2, { name: "def", about: "abc" });
  await people.index.fill(people, always);
  expect(people.found(["cd"])).toEqual([]);
  expect(people.found(["cx"])).toEqual([]);
  expect(people.found(["abc", "def"])).toEqual([2]);
});

test("changes during the filling are visible, before and behind its position", async () => {
  const people = new People();
  for (let id = 1; id <= 400; id += 1) people.put(id, { name: `person${id}` });
  let steps = 0;
  await people.index.fill(people, () => {
    steps += 1;
    if (steps === 4) {
      people.put(10, { name: "renamed behind" });
      people.put(390, { name: "renamed ahead" });
      people.put(20, undefined);
      people.put(380, undefined);
      people.put(900, { name: "came ahead" });
      // At the edges of what is filled: 4 blocks of 32.
      people.put(127, { name: "renamed last" });
      people.put(128, { name: "renamed first" });
      const search = people.index.search(["renamed"], undefined, people);
      expect([...people.ids].filter((id) => search.has(id))).toEqual([10, 127, 128, 390]);
    }
    return true;
  });
  expect(people.found(["renamed"])).toEqual([10, 127, 128, 390]);
  expect(people.found(["came"])).toEqual([900]);
  for (const [gone, rest] of [
    ["person20", [200, 201, 202, 203, 204, 205, 206, 207, 208, 209]],
    ["person380", []],
    ["person390", []],
    ["person10", [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]],
  ] as const) {
    expect(people.found([gone])).toEqual([...rest]);
  }
});

test("a requested end leaves it incomplete", async () => {
  const people = new People();
  people.put(1, { name: "Mara" });
  await people.index.fill(people, () => Promise.resolve(false));
  expect(people.index.isComplete).toBe(false);
});

test("a removed text leaves its block once the block has removed as much as it holds", () => {
  const field = new TextField();
  const words = Array.from({ length: 2_000 }, (_, number) => `w${number.toString(36)}ord`).join(" ");
  field.set(1, normalise("the neighbour"));
  field.set(2, normalise(words));
  field.set(2, normalise("short"));
  expect([...(field.blocksWith(normalise("w1jord")) ?? [])]).toEqual([]);
  expect([...(field.blocksWith(normalise("neighbour")) ?? [])]).toEqual([blockOf(1)]);
  expect([...(field.blocksWith(normalise("short")) ?? [])]).toEqual([blockOf(2)]);
});

const wordOf = (word: string) => ({ bytes: normalise(word), key: word });

test("long texts and short ones are found in the same block, with any changes beside them", () => {
  const field = new TextField();
  for (let id = 1; id <= 8; id += 1) field.set(id, normalise("ab".repeat(50_000)));
  for (let round = 0; round < 100; round += 1) field.set(9, normalise(`draft ${round}`));
  expect([...(field.blocksWith(normalise("draft 99")) ?? [])]).toEqual([0]);
  expect(field.hits(0, wordOf("draft 99"), -1)).toBe(1 << 9);
  expect(field.hits(0, wordOf("draft 98"), -1)).toBe(0);
  expect(field.hits(0, wordOf("bab"), -1)).toBe(0b1_1111_1110);
});

test("property: it finds exactly the ids with every word in one of the fields, after any changes", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "B", "é", "É", "漢", "😀", " "), maxLength: 8 });
  const longText = fc
    .tuple(text, fc.integer({ min: 4_000, max: 4_200 }))
    .map(([one, length]) => one.padEnd(length, "ab "));
  const change = fc.record({
    id: fc.integer({ min: 1, max: 100 }),
    texts: fc.option(fc.record({ name: text, about: fc.oneof({ weight: 9, arbitrary: text }, longText) }), {
      nil: undefined,
    }),
  });
  const fields = fc.constantFrom(["name"] as const, ["about"] as const, ["name", "about"] as const);
  const question = fc.tuple(fc.array(text, { minLength: 1, maxLength: 3 }), fields);
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 150 }),
      fc.array(change, { maxLength: 50 }),
      fc.array(question, { minLength: 1, maxLength: 8 }),
      async (before, after, questions) => {
        const people = new People();
        for (const { id, texts } of before) people.put(id, texts);
        await people.index.fill(people, always);
        for (const { id, texts } of after) people.put(id, texts);
        people.reads = 0;
        for (const [words, asked] of questions) {
          const expected = people.matching(words, asked);
          const search = people.index.search(words, asked, people);
          expect(search.list()).toEqual(expected);
          expect([...people.ids].filter((id) => search.has(id))).toEqual(expected);
          const odd = Bitmap.of([...people.ids].filter((id) => id % 2 === 1));
          expect([...(search.within(odd) ?? [])]).toEqual(expected.filter((id) => id % 2 === 1));
          // Few blocks are all sampled.
          expect(search.estimate).toBe(expected.length);
        }
        expect(people.reads).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
