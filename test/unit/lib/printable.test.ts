import { expect, test } from "bun:test";
import { printable } from "../../../src/lib/text/printable.ts";

test("a text cannot steer a terminal, and other texts stay as they are", () => {
  expect(printable("\x1b]0;title\x07 \x9b2J \u202eabc\0")).toBe("\\u001b]0;title\\u0007 \\u009b2J \\u202eabc\\u0000");
  expect(printable("Zoë, 東京 👩‍💻 – \\u001b")).toBe("Zoë, 東京 👩‍💻 – \\u001b");
});
