import { expect, test } from "bun:test";
import { compareVersions, normalizeUnicode } from "../../../src/lib/text/unicode.ts";

test("normalization gets the first 1,024 characters of a text", () => {
  const hostile = `a${"\u0315".repeat(1_000_000)}${"\u0300".repeat(1_000_000)}`;
  expect(normalizeUnicode(hostile, "NFC")).toBe(`a${"\u0315".repeat(1_023)}`);
  expect(normalizeUnicode("e\u0301", "NFC")).toBe("\u00e9");
  expect(normalizeUnicode(`${"a".repeat(1_023)}🙂`, "NFKD")).toBe(`${"a".repeat(1_023)}\ufffd`);
});

test("versions are compared by their numbers, and by UTF-16 units where those are equal", () => {
  const names = ["v10", "v2", "v1.9", "v1.10"];
  expect(names.toSorted(compareVersions)).toEqual(["v1.9", "v1.10", "v2", "v10"]);
  const start = "1".repeat(1_024);
  expect([`${start}b`, `${start}a`].toSorted(compareVersions)).toEqual([`${start}a`, `${start}b`]);
});
