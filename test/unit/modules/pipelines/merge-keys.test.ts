import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { Budget, CiFileError, stepsMax } from "../../../../src/modules/ci/ci-config/index.ts";
import { parseYaml } from "../../../../src/modules/ci/ci-config/yaml/yaml.ts";

const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

function errorOf(text: string, budget = new Budget()): string | undefined {
  try {
    parseYaml(text, budget);
    return undefined;
  } catch (error) {
    if (error instanceof CiFileError) return error.message;
    throw error;
  }
}

describe("merge keys", () => {
  const anchors = ["one", "two", "three"];
  const scalar = fc.constantFrom("1", "s", "'<<'", "cat <<EOF", "null", '"q << r"', '"\\x3c"', "k<");
  const alias = fc.constantFrom(...anchors).map((anchor) => `*${anchor}`);
  const { mapping } = fc.letrec<{ value: string; mapping: string; entry: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      alias,
      tie("mapping"),
      fc.array(tie("value")).map((of) => `[${of}]`),
    ),
    entry: fc.oneof(
      alias.map((of) => `<<: ${of}`),
      fc.array(fc.oneof(alias, scalar), { maxLength: 3 }).map((of) => `<<: [${of}]`),
      tie("value").map((of) => `"<<" : ${of}`),
    ),
    mapping: fc
      .tuple(
        fc.uniqueArray(fc.constantFrom("a", "b", "x", "1", "__proto__", "<<EOF"), { maxLength: 4 }),
        fc.array(tie("value"), { minLength: 4, maxLength: 4 }),
        fc.array(tie("entry"), { maxLength: 2 }),
        fc.nat(4),
      )
      .map(([keys, values, merges, at]) => {
        const own = keys.map((key, index) => `${key}: ${values[index]}`);
        return `{${[...own.slice(0, at), ...merges, ...own.slice(at)].join(", ")}}`;
      }),
  }));

  test("are merged as by the parser", () => {
    fc.assert(
      fc.property(fc.array(mapping, { minLength: 4, maxLength: 4 }), (mappings) => {
        const known = anchors.map((anchor) => `${anchor}: &${anchor} {${anchor}: 1, a: ${anchor}, b: 2}`);
        const last = `&three ${mappings[0]}`;
        const text = [...known, `four: ${last}`, ...mappings.map((each, at) => `m${at}: ${each}`)].join("\n");
        expect(JSON.stringify(parseYaml(text, new Budget()))).toBe(JSON.stringify(Bun.YAML.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  test("cost steps, and the parser gets none of them", () => {
    const base = `base: &b\n${times(1000, (at) => `  k${at}: 1`).join("\n")}\n`;
    const files = [
      base + times(1000, (at) => `j${at}:\n  <<: *b`).join("\n"),
      base + times(1000, (at) => `j${at}: {"<<" : *b}`).join("\n"),
      base + times(1000, (at) => `j${at}: {? '<<' # key\n : *b}`).join("\n"),
      `${base}k: &k <<\n${times(1000, (at) => `j${at}: {*k : *b}`).join("\n")}`,
    ];
    for (const text of files) {
      const parse = spyOn(Bun.YAML, "parse");
      const budget = new Budget();
      expect(errorOf(text, budget)).toBe("The parsed YAML is too big");
      expect(budget.spent).toBeLessThan(stepsMax);
      const parsed = parse.mock.results[0]?.value as { readonly base: object; readonly j999: object };
      parse.mockRestore();
      expect(Object.values(parsed.j999)).toEqual([parsed.base]);
    }
  });

  test.each([`{"\\x3c<": *b}`, `{"<\\u003c": *b}`, `{"\\x3C\\U0000003c": *b}`, `\n  ? "<\\\n   <"\n  : *b`])(
    "as escapes are refused: %j",
    (mapping) => {
      expect(errorOf(`b: &b {a: 1}\nj: ${mapping}`)).toContain("<< is written with escapes");
    },
  );

  test("of a mapping around them are refused", () => {
    expect(errorOf("a: &a {b: {<<: *a}}")).toContain("Merge key cannot reference an enclosing node");
    expect(errorOf("a: &a {b: [*a], c: <<}")).toBe("The parsed YAML is too big");
  });

  test("leave the texts of a file as they are", () => {
    const script = ["cat <<EOF > a", "x <<< y", "\\x3c", "<", "1 << 2 << 3"];
    expect(parseYaml(JSON.stringify({ "<<a<<": { script } }), new Budget())).toEqual({ "<<a<<": { script } });
  });
});
