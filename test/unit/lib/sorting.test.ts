import { expect, test } from "bun:test";
import { sorting } from "../../../src/lib/sorting.ts";
import { compareUtf8 } from "../../../src/lib/text/unicode.ts";
import { stepLength, takeAtOnce } from "../../../src/lib/yield.ts";
import { createRandom } from "../../support/checks/random.ts";

const random = createRandom();

test("things are sorted as by the runtime, in steps, and equal ones stay in their order", () => {
  for (const count of [0, 1, 2, stepLength, stepLength + 1, 10 * stepLength + 7]) {
    const items = Array.from({ length: count }, (_, at) => ({ key: random.integer(0, 500), at }));
    const compare = (one: (typeof items)[number], other: (typeof items)[number]) => one.key - other.key;
    expect(takeAtOnce(sorting(items, compare))).toEqual(items.toSorted(compare));
  }
  const many = Array.from({ length: 10 * stepLength }, () => random.fraction());
  expect([...sorting(many, (one, other) => one - other)].length).toBeGreaterThan(3 * 10);
});

test("texts are compared by their bytes", () => {
  const letters = ["", "a", "b", "é", "\u{d7ff}", "\u{e000}", "\u{ffee}", "\u{10000}", "\u{1f600}", "\u{10ffff}"];
  const texts = letters.flatMap((one) => letters.map((other) => one + other));
  for (const one of texts) {
    for (const other of texts) {
      expect(Math.sign(compareUtf8(one, other))).toBe(Buffer.from(one).compare(Buffer.from(other)));
    }
  }
});
