import { expect, test } from "bun:test";
import { acceptsCoding } from "../../../src/lib/text/accept-encoding.ts";

test.each([
  ["gzip", true],
  ["br, GZIP ;q=0.5", true],
  ["gzip ; q=0.0 , br", false],
  ["gzip;q=0", false],
  ["deflate", false],
  ["", false],
])("%j accepts gzip: %p", (header, accepts) => {
  expect(acceptsCoding(header, "gzip")).toBe(accepts);
});

test("a header of a million spaces is read at once", () => {
  expect(acceptsCoding(`a${" ".repeat(1_000_000)}b, gzip`, "gzip")).toBe(true);
});
