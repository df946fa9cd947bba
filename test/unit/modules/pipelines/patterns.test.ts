import { describe, expect, test } from "bun:test";
import { Patterns, readPattern } from "../../../../src/modules/ci/ci-config/rules/patterns.ts";
import { CiFileError } from "../../../../src/modules/ci/ci-config/values.ts";

const matches = (written: string, text: string, patterns = new Patterns()) => {
  const pattern = readPattern(written);
  if (pattern === undefined) throw new Error(`${written} is no pattern`);
  return patterns.matches(pattern, text);
};

test.each([
  ["/^release-\\d+$/", "release-12", true],
  ["/^release-\\d+$/", "release-x", false],
  ["/MAIN/i", "the main one", true],
  ["/a.b/", "a\nb", false],
  ["/a.b/s", "a\nb", true],
  ["/^b$/", "a\nb", false],
  ["/^b$/m", "a\nb", true],
  ["/\\Amain\\z/", "main", true],
  ["/^feature\\/.+/", "feature/x", true],
  ["/\\p{Lu}/", "Ä", true],
])("%s on %j is %p", (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test.each(["/(?=a)/", "/(a)\\1/", "/(/", "/a{1001}/", "/(a{1000}){1000}/"])("%p is no pattern of RE2", (pattern) => {
  expect(() => matches(pattern, "a")).toThrow("invalid expression syntax");
});

test("a pattern has at most 255 characters", () => {
  expect(matches(`/${"a".repeat(255)}/`, "a")).toBe(false);
  expect(() => matches(`/${"a".repeat(256)}/`, "a")).toThrow("invalid expression syntax");
});

describe("patterns that are slow elsewhere are evaluated", () => {
  test.each([
    ["/^(a+)+$/", `${"a".repeat(40)}!`],
    ["/^(a|a)*$/", `${"a".repeat(40)}!`],
    ["/(.*a){12}$/", "b".repeat(1000)],
    ["/^(([a-z])+.)+[A-Z]([a-z])+$/", "a".repeat(1000)],
  ])("%s", (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });
});

describe("a file may not cause more work than its budget", () => {
  const tooMuch = "the patterns of the file take too long to match";

  test("by long texts, many patterns or large ones", () => {
    expect(() => matches("/(a|b)*a(a|b){200}[cd]/", "ab".repeat(10_000))).toThrow(tooMuch);
    const patterns = new Patterns();
    const large = (end: string) => matches(`/${"x{1000}".repeat(30)}${end}/`, "x", patterns);
    expect(() => ["a", "b", "c", "d"].map(large)).toThrow(new CiFileError(tooMuch));
    expect(() => matches(`/[^${"B-\u{10FFFF}".repeat(62)}]/i`, "x")).toThrow(tooMuch);
    expect(() => {
      const many = new Patterns();
      for (let at = 0; at < 5_000; at += 1) matches(`/^v${at}$/`, "main", many);
    }).toThrow(tooMuch);
  });

  test("but may evaluate the same pattern any number of times", () => {
    const patterns = new Patterns();
    for (let at = 0; at < 50_000; at += 1) expect(matches("/^release-\\d+/", "main", patterns)).toBe(false);
  });
});
