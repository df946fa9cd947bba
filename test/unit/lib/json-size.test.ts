import { expect, test } from "bun:test";
import { isJsonBeyond } from "../../../src/lib/text/json-size.ts";

const isBeyond = (json: string, levels: number, values: number) => isJsonBeyond(Buffer.from(json), { levels, values });

test.each([
  ["[]", 1, 1],
  ['[[],"[[["]', 2, 3],
  ['{"a":[1,2],"\\"[{":"b,\\\\"}', 2, 5],
  [JSON.stringify(Array(10).fill({})), 2, 11],
])("%s has %d levels and at most %d values", (json, levels, values) => {
  expect(isBeyond(json, levels, values)).toBe(false);
  expect(isBeyond(json, levels - 1, values)).toBe(true);
});

test.each([
  ["[1,2,3]", 3],
  ['{"a":1,"b":{"c":[0]}}', 4],
])("%s has more than %d values", (json, values) => {
  expect(isBeyond(json, 10, values - 1)).toBe(true);
});

test("a text has 100,000 values where nothing else is said", () => {
  expect(isJsonBeyond(Buffer.from(JSON.stringify(Array(99_998).fill(0))), { levels: 1 })).toBe(false);
  expect(isJsonBeyond(Buffer.from(JSON.stringify(Array(100_001).fill(0))), { levels: 1 })).toBe(true);
});
