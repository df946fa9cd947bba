import { expect, spyOn, test } from "bun:test";
import { Budget, CiFileError } from "../../../../src/modules/ci/ci-config/index.ts";
import { parseYaml } from "../../../../src/modules/ci/ci-config/yaml/yaml.ts";

/** A mebibyte of the same few characters. */
const filled = (unit: string, before = "", after = "") => `${before}${unit.repeat(1_048_000 / unit.length)}${after}`;

test.each([
  ["explicit keys", filled("? a,", "a: [", "]")],
  ["pairs", filled("[a]: b,", "a: {", "}")],
  ["empty lists", filled("[],", "a: [", "]")],
  ["empty mappings", filled("{},", "a: [", "]")],
  ["entries without a value", filled("-\n")],
  ["short entries", filled("- a\n")],
  ["aliases", filled("- *x\n", "a: &x 1\nb:\n")],
  ["anchored keys", filled("k: &a\n")],
  ["documents", filled("---\n")],
])("a file of 1 MB of %s is refused before it is parsed", (_, text) => {
  const parse = spyOn(Bun.YAML, "parse");
  try {
    expect(() => parseYaml(text, new Budget())).toThrow(new CiFileError("The parsed YAML is too big"));
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

test("a file of 1 MB of text, or of thousands of jobs, is parsed", () => {
  expect(parseYaml(`a: |\n${"  curl https://a.example/?b=c, -d e\n".repeat(10_000)}`, new Budget())).toBeDefined();
  const jobs = Array.from({ length: 5_000 }, (_, at) => `job-${at}: {script: [a, b], tags: [c], needs: []}`);
  expect(Object.keys(parseYaml(jobs.join("\n"), new Budget()))).toHaveLength(5_000);
});
