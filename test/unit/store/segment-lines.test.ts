import { jscDescribe } from "bun:jsc";
import { expect, test } from "bun:test";
import { forEachLine } from "../../../src/store/segments/lines.ts";
import { createRandom } from "../../support/checks/random.ts";

const alphabet = ["a", '"', "\\", "é", "Ж", "漢", "😀", "\n", "\n"];

function linesOf(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  forEachLine(bytes, (line) => lines.push(line));
  return lines;
}

test("the lines of any text are those between its line ends", () => {
  const random = createRandom();
  for (let round = 0; round < 500; round += 1) {
    const length = random.integer(0, 30);
    const text = Array.from({ length }, () => alphabet[random.integer(0, alphabet.length - 1)]).join("");
    const bytes = Buffer.from(`${text}\n`);
    expect(linesOf(new Uint8Array(bytes))).toEqual(text.split("\n"));
    if (text !== "" && !text.endsWith("\n")) expect(linesOf(Buffer.from(text))).toEqual(text.split("\n"));
  }
});

test("values of a line of ASCII take a byte a character, whatever other lines contain", () => {
  const value = "a name of more characters than the runtime shares between values";
  const [line] = linesOf(Buffer.from(`${JSON.stringify({ value })}\n${JSON.stringify("漢")}\n`));
  expect(jscDescribe(JSON.parse(line as string).value)).toContain("8Bit:(1)");
});
