import { expect, test } from "bun:test";
import fc from "fast-check";
import { TextIndex } from "../../../src/store/indexes/text-index.ts";

interface Person {
  readonly id: number;
  readonly name: string;
}

const always = () => true as const;

async function filled(people: readonly Person[]): Promise<TextIndex<Person>> {
  const index = new TextIndex<Person>((person) => [person.name]);
  await index.fill(people, always);
  return index;
}

test("until it is filled it rules nobody out", async () => {
  const index = new TextIndex<Person>((person) => [person.name]);
  index.replace(undefined, { id: 1, name: "Mara" });
  expect(index.candidates(["mara"])).toBeUndefined();
  expect(index.isComplete).toBe(false);
});

test("words shorter than three letters rule nobody out", async () => {
  const index = await filled([{ id: 1, name: "Mara" }]);
  expect(index.candidates(["ma"])).toBeUndefined();
  expect([...(index.candidates(["ma", "ara"]) ?? [])]).toEqual([1]);
});

test("changes during the filling are seen, before and behind the place it has reached", async () => {
  const people = new Map(Array.from({ length: 100 }, (_, i) => [i + 1, { id: i + 1, name: `person${i + 1}` }]));
  const index = new TextIndex<Person>((person) => [person.name]);
  function* inOrder() {
    for (let id = 1; id <= 200; id += 1) {
      const person = people.get(id);
      if (person !== undefined) yield person;
    }
  }
  const change = (id: number, name: string | undefined) => {
    const before = people.get(id);
    const after = name === undefined ? undefined : { id, name };
    if (after === undefined) people.delete(id);
    else people.set(id, after);
    index.replace(before, after);
  };
  let steps = 0;
  await index.fill(inOrder(), () => {
    steps += 1;
    if (steps === 50) {
      change(10, "renamed behind");
      change(90, "renamed ahead");
      change(20, undefined);
      change(80, undefined);
      change(150, "came ahead");
    }
    return true;
  });
  expect([...(index.candidates(["renamed"]) ?? [])]).toEqual([10, 90]);
  expect([...(index.candidates(["came"]) ?? [])]).toEqual([150]);
  expect([...(index.candidates(["person20"]) ?? [])]).toEqual([]);
  expect([...(index.candidates(["person80"]) ?? [])]).toEqual([]);
  expect([...(index.candidates(["person90"]) ?? [])]).toEqual([]);
  expect([...(index.candidates(["person10"]) ?? [])]).toEqual([100]);
});

test("an end that was asked for leaves it incomplete", async () => {
  const index = new TextIndex<Person>((person) => [person.name]);
  await index.fill([{ id: 1, name: "Mara" }], () => Promise.resolve(false));
  expect(index.isComplete).toBe(false);
});

test("property: everybody whose text holds the words is among the candidates, after any changes", async () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "😀", " "), maxLength: 8 });
  const changes = fc.array(fc.record({ id: fc.integer({ min: 1, max: 60 }), name: fc.option(name) }), {
    maxLength: 200,
  });
  await fc.assert(
    fc.asyncProperty(changes, fc.array(name, { minLength: 1, maxLength: 2 }), async (steps, words) => {
      const index = await filled([]);
      const people = new Map<number, Person>();
      for (const step of steps) {
        const after = step.name === null ? undefined : { id: step.id, name: step.name };
        index.replace(people.get(step.id), after);
        if (after === undefined) people.delete(step.id);
        else people.set(step.id, after);
      }
      const found = index.candidates(words);
      const needed = [...people.values()].filter((person) => words.every((word) => person.name.includes(word)));
      if (found !== undefined) expect([...found]).toEqual(expect.arrayContaining(needed.map((person) => person.id)));
      expect(found === undefined).toBe(words.every((word) => word.length < 3));
    }),
    { numRuns: 300 },
  );
});
