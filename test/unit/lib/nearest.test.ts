import { expect, test } from "bun:test";
import { nearest } from "../../../src/lib/text/nearest.ts";

const known = ["OUTPOST_HOST", "OUTPOST_PORT", "OUTPOST_DATA", "OUTPOST_LOG_LEVEL"];

test.each([
  ["swapped letters", "OUTPOST_PROT", "OUTPOST_PORT"],
  ["a letter too many", "OUTPOST_DATTA", "OUTPOST_DATA"],
  ["a letter too few", "OUTPOST_LOGLEVEL", "OUTPOST_LOG_LEVEL"],
  ["a wrong letter", "OUTPOST_HOSZ", "OUTPOST_HOST"],
  ["the name itself", "OUTPOST_DATA", "OUTPOST_DATA"],
])("%s: %s is nearest to %s", (_slip, word, expected) => {
  expect(nearest(word, known)).toBe(expected);
});

test("a word unlike all of them gets an answer", () => {
  expect(known).toContain(nearest("OUTPOST_SOMETHING_ELSE_ALTOGETHER", known));
});

test("the first of equals wins", () => {
  expect(nearest("ab", ["ax", "bb"])).toBe("ax");
});
