import { describe, expect, test } from "bun:test";
import { trailersOf } from "../../../../src/modules/repositories/repositories/trailers.ts";

const none = { trailers: {}, extended_trailers: {} };

describe("trailers", () => {
  test("are the last paragraph, and the last value counts", () => {
    expect(trailersOf("Add a\n\nText: with colon.\nMore\n\nSigned-off-by: Ines\nRef : 1\nRef:2 \n")).toEqual({
      trailers: { "Signed-off-by": "Ines", Ref: "2" },
      extended_trailers: { "Signed-off-by": ["Ines"], Ref: ["1", "2"] },
    });
  });

  test.each([
    "Ref: 1",
    "\n\nRef: 1",
    "Add a\nRef: 1",
    "Add a\n\nRef: 1\ntext",
    "Add a\n\nRef:",
    "Add a\n\n-Ref: 1",
    "Add a\n\n: 1",
    "",
  ])("%j has none", (message) => {
    expect(trailersOf(message)).toEqual(none);
  });

  test("a blank line may hold spaces", () => {
    expect(trailersOf("Add a\n \t\nRef: 1").trailers).toEqual({ Ref: "1" });
  });

  test("a paragraph of more than a hundred lines is text", () => {
    const message = (count: number) => `Add a\n\n${Array.from({ length: count }, (_, at) => `Ref: ${at}`).join("\n")}`;
    expect(trailersOf(message(100)).trailers).toEqual({ Ref: "99" });
    expect(trailersOf(message(101))).toEqual(none);
  });

  // Patterns that try each place again would take hours.
  test.each([
    ["spaces behind the colon", `a:${" ".repeat(4_000_000)}x\u2028y`],
    ["spaces before the colon", `a${" ".repeat(4_000_000)}`],
    ["blank lines", `a${"\n ".repeat(2_000_000)}b`],
  ])("millions of %s are read at once", (_, paragraph) => {
    expect(Object.keys(trailersOf(`Add a\n\n${paragraph}`).trailers).length).toBeLessThan(2);
  });
});
