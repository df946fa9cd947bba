import { describe, expect, spyOn, test } from "bun:test";
import { Budget, CiFileError } from "../../../../src/modules/ci/ci-config/index.ts";
import { parseYaml } from "../../../../src/modules/ci/ci-config/yaml/yaml.ts";

const signs = 10_000;
const aliases = (count: number) => `[${Array(count).fill("*s").join(",")}]`;

/** The error, and how often the parser was asked. */
function read(text: string): { error: string | undefined; parsed: number } {
  const parse = spyOn(Bun.YAML, "parse");
  const outcome = (error?: string) => ({ error, parsed: parse.mock.calls.length });
  try {
    parseYaml(text, new Budget());
    return outcome();
  } catch (error) {
    if (error instanceof CiFileError) return outcome(error.message);
    throw error;
  } finally {
    parse.mockRestore();
  }
}

describe("texts that aliases copy beyond the limits of a file are refused before parsing", () => {
  const long = "x".repeat(signs);
  test.each([
    ["plain", `s: &s ${long}\n`],
    ["of many lines", `s: &s x\n${"  y z\n".repeat(signs / 6)}`],
    ["with colons and hashes", `s: &s ${"x:y#z:\u00a0".repeat(signs / 7)}\n`],
    ["in double quotes", `s: &s "${'x: y # \\" '.repeat(signs / 10)}"\n`],
    ["in single quotes", `s: &s '${"x: y # '' ".repeat(signs / 10)}'\n`],
    ["literal", `s:\n  s: &s |\n${"    x: y # z\n\n".repeat(signs / 13)}\n`],
    ["folded", `s: &s >-\n${" x: y\n".repeat(signs / 6)}`],
    ["with a tag", `s: &s !!str "${long}"\n`],
    ["behind a comment", `s: &s # text: it\n  "${long}"\n`],
    ["in a flow list", `s: [1, &s ${long}]\n`],
    ["of an anchor that comes twice", `r: &s ${long}\ns: &s ${long}\nt: &s x\n`],
  ])("%s", (_, text) => {
    expect(read(`${text}l: ${aliases(990)}`)).toEqual({ error: "The parsed YAML is too big", parsed: 0 });
    expect(read(`${text}l: ${aliases(10)}`)).toEqual({ error: undefined, parsed: 1 });
  });
});

test("aliases of lists and mappings do not count: their values are shared", () => {
  for (const text of [
    `s: &s [${"x".repeat(signs)}]\n`,
    `s: &s {a: ${"x".repeat(signs)}}\n`,
    `s: &s\n  - ${"x".repeat(signs)}\n`,
    `s: &s\n  a: ${"x".repeat(signs)}\n`,
  ]) {
    expect(read(`${text}l: ${aliases(790)}`)).toEqual({ error: undefined, parsed: 1 });
    expect(read(`${text}l: ${aliases(900)}`).parsed).toBe(1);
  }
});

test("looking for the texts of many anchors costs steps", () => {
  const budget = new Budget();
  const text = `${"- &s x\n".repeat(70_000)}- *s`;
  expect(() => parseYaml(text.replaceAll("\n", " "), budget)).toThrow("takes too long");
});
