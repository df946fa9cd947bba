import { expect, test } from "bun:test";
import { flatten } from "../../../src/modules/monitoring/alerts/payload/json.ts";

const leaves = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, at]));

test("leaves have the keys above them in their paths, and lists are leaves", () => {
  expect(flatten({ a: { b: { c: 1 }, d: {} }, e: [{ f: 2 }] })).toEqual([
    ["a.b.c", 1],
    ["e", [{ f: 2 }]],
  ]);
});

test("a key above many leaves is not repeated without limit", () => {
  const found = flatten({ ["k".repeat(500_000)]: leaves(50_000), after: "x" });
  expect(found.reduce((sum, [path]) => sum + path.length, 0)).toBeLessThanOrEqual(4 * 1_048_576);
  expect(found).toHaveLength(9);
  expect(found.at(-1)).toEqual(["after", "x"]);
});
