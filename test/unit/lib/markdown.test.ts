import { expect, test } from "bun:test";
import { linesOutsideFences } from "../../../src/lib/text/markdown.ts";

const lines = (text: string) => [...linesOutsideFences(text)];

test("lines in fences are left out, with the fences", () => {
  expect(lines("a\n```ts\nb\n~~~\n```\nc")).toEqual(["a", "c"]);
  expect(lines("~~~\nb\n```\n~~~\nc\n")).toEqual(["c", ""]);
});

test("only a bare mark of the same kind closes a fence, and an unclosed one ends with the text", () => {
  expect(lines("a\n```\nb\n```c\nd")).toEqual(["a"]);
  expect(lines("  ```\nb\n  ```  \nd")).toEqual(["d"]);
});

test("every text has lines, and neither their number nor unclosed fences make it slow", () => {
  expect(lines("")).toEqual([""]);
  expect(lines("\n".repeat(1_000_000)).length).toBe(1_000_001);
  expect(lines("```x\n".repeat(200_000))).toEqual([]);
});
