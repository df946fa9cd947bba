import { expect, test } from "bun:test";
import { parseColor } from "../../../src/lib/color.ts";

test.each([
  ["#abc", "#aabbcc"],
  [" #A1b2C3 ", "#A1b2C3"],
  ["red", "#FF0000"],
  ["RebeccaPurple", "#663399"],
])("%p is a colour", (text, color) => {
  expect(parseColor(text)).toBe(color);
});

test.each(["", "#ab", "#abcd", "transparent", "currentColor", "canvas", "rgb(1,2,3)", "constructor", "inherit"])(
  "%p is none",
  (text) => {
    expect(parseColor(text)).toBeUndefined();
  },
);
