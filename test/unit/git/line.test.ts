import { expect, test } from "bun:test";
import { Line } from "../../../src/git/work/line.ts";

const place = (owner: string, number: number) => ({ owner, number });

test("owners take turns in a line, however many places one has", () => {
  const line = new Line<ReturnType<typeof place>>();
  for (let number = 0; number < 5; number += 1) line.add(place("ann", number));
  line.add(place("bea", 0));
  line.add(place("cem", 0));
  line.add(place("bea", 1));
  const served: string[] = [];
  for (let next = line.next(() => true); next !== undefined; next = line.next(() => true)) {
    served.push(`${next.owner} ${next.number}`);
  }
  expect(served).toEqual(["ann 0", "bea 0", "cem 0", "ann 1", "bea 1", "ann 2", "ann 3", "ann 4"]);
});

test("who may not have a turn keeps the place in a line", () => {
  const line = new Line<ReturnType<typeof place>>();
  const [first, second] = [place("ann", 0), place("bea", 0)];
  line.add(first);
  line.add(second);
  line.add(place("ann", 1));
  const isBea = (owner: string) => owner === "bea";
  expect(line.has(isBea)).toBe(true);
  expect(line.next(isBea)).toBe(second);
  expect(line.has(isBea)).toBe(false);
  expect(line.next(isBea)).toBeUndefined();
  line.remove(first);
  expect(line.next(() => true)).toEqual(place("ann", 1));
});
