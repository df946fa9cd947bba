import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { Budget, CiFileError, stepsMax } from "../../../../src/modules/ci/ci-config/index.ts";
import { textOf } from "../../../../src/modules/ci/ci-config/ruby-values.ts";
import { parseDocuments, parseYaml } from "../../../../src/modules/ci/ci-config/yaml/yaml.ts";

const read = (text: string) => parseYaml(text, new Budget());
const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

describe("a plain scalar", () => {
  test.each([
    ["1.0", "1.0"],
    ["20.0", "20.0"],
    ["1.10", "1.1"],
    ["-.5", "-0.5"],
    ["1.", "1.0"],
    ["1_000.5", "1000.5"],
    ["1.5e+3", "1500.0"],
    ["1.0e+20", "1.0e+20"],
    ["0.00001", "1.0e-05"],
    ["1234567890123456.0", "1234567890123456.0"],
    ["12345678901234567.0", "1.2345678901234568e+16"],
    [".inf", "Infinity"],
    ["-.Inf", "-Infinity"],
    [".NaN", "NaN"],
    ["012345", "5349"],
    ["0o14", "0o14"],
    ["089", "089"],
    ["0x1F", "31"],
    ["0b101", "5"],
    ["-0x10", "-16"],
    ["1_000", "1000"],
    ["1,000", "1000"],
    ["12345678901234567890", "12345678901234567890"],
    ["-98765432109876543210", "-98765432109876543210"],
    ["1e3", "1e3"],
    ["1.5e3", "1.5e3"],
    ["54e12345", "54e12345"],
    ["1.2.3", "1.2.3"],
    ["1:30", "5400"],
    ["12:30:45", "45045"],
    ["1:30:00.5", "5400.5"],
    ["1:75", "1:75"],
    [".", "."],
    ["+1", "1"],
    ["yes", "true"],
    ["On", "true"],
    ["NO", "false"],
    ["off", "false"],
    ["y", "y"],
    ["yes please", "yes please"],
    [":name", "name"],
    [':"a b"', "a b"],
    ["'1.0'", "1.0"],
    ['"yes"', "yes"],
    ["!!str 012", "012"],
    ["!!float 3", "3.0"],
    ["!!binary aGk=", "hi"],
    ["! 1.0", "1.0"],
  ])("%s is the text %j", (written, text) => {
    expect(textOf(read(`a: ${written}`).a)).toBe(text);
    expect(Object.keys(read(`? ${written}\n: x`))).toEqual([text]);
  });

  test.each(["~", "null", "NULL", "", "!!null"])("%p is nothing", (written) => {
    expect(read(`a: ${written}`)).toEqual({ a: null });
  });

  test.each([
    ["2024-01-31", "Date"],
    ["2024-1-1", "Date"],
    ["2024-01-31 10:00:00", "Time"],
    ["2024-01-31T10:00:00Z", "Time"],
    ["!ruby/object:Gem::Version x", "Gem::Version"],
  ])("%s is refused", (written, name) => {
    expect(() => read(`a: ${written}`)).toThrow(`Tried to load unspecified class: ${name}`);
  });

  test("of a thousand digits is a text", () => {
    expect(read(`a: ${"9".repeat(1000)}`)).toEqual({ a: "9".repeat(1000) });
  });
});

describe("what another library writes is read back", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }).map((made) => made.replaceAll(/[^\P{Cc}\t\n]|[\u2028\u2029\ufffe\uffff]/gu, "")),
    fc.constantFrom("- a", "a: b", "# no", "x #y", "'", '"', "\\", "|", ">", "&a", "*a", "!x", "%", "@", "`", "{", "]"),
    fc.constantFrom(
      "a\n",
      "a\n\n",
      "\na",
      " a",
      "a ",
      "a\n b\nc",
      "\ta",
      "a\n\tb",
      "a\n\n\nb\n",
      "---",
      "...",
      "? a",
      "<<",
    ),
  );
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: "value" },
      text,
      fc.constantFrom(1, true, false, null, "1.0", "yes", "012", "", "=", "2024-01-01", "1:30"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== "<<" && key !== ""),
        tie("value"),
        { maxKeys: 3 },
      ),
    ),
  })).value;
  const styles = fc.record({
    indent: fc.constantFrom(1, 2, 4),
    indentSeq: fc.boolean(),
    lineWidth: fc.constantFrom(0, 20, 40),
    singleQuote: fc.boolean(),
    collectionStyle: fc.constantFrom("any", "flow"),
    blockQuote: fc.constantFrom(true, false, "literal"),
  });

  test("in all of its styles", () => {
    fc.assert(
      fc.property(value, styles, (made, style) => {
        const written = stringify({ made }, { version: "1.1", aliasDuplicateObjects: false, ...style } as object);
        expect(read(written)).toEqual({ made });
      }),
      { numRuns: 500 },
    );
  });
});

test("further lines of a scalar and of blocks are joined", () => {
  const file = [
    ...["a: plain", "  text", "", "  of lines", 'b: "x \\', "  y\\tz", "", '  w"', "c: 'it''s", "  ok'"],
    ...["d: >2-", "    x", "  y", "", "", "e: |+", "  x", "", "f:", "- 1", "-", "  - 2", "? g", ": [1: 2, 3,]"],
  ];
  expect(read(file.join("\r\n"))).toEqual({
    ...{ a: "plain text\nof lines", b: "x y\tz\nw", c: "it's ok", d: "  x\ny", e: "x\n\n", f: [1, [2]] },
    g: [{ "1": 2 }, 3],
  });
});

describe("merge keys", () => {
  const base = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\n";
  test.each([
    ["{<<: *x, b: 0}", { a: 1, b: 0 }],
    ["{b: 0, <<: *x}", { b: 1, a: 1 }],
    ["{<<: *x, <<: *y}", { a: 1, b: 2, c: 2 }],
    ["{<<: *y, <<: *x}", { b: 1, c: 2, a: 1 }],
    ["{<<: [*x, *y]}", { b: 1, c: 2, a: 1 }],
    ["{'<<': {k: v}}", { k: "v" }],
    ["{<<: text}", { "<<": "text" }],
    ["{<<: [*x, 1]}", { "<<": [{ a: 1, b: 1 }, 1] }],
  ])("%s: the later of two wins", (written, merged) => {
    expect(read(`${base}z: ${written}`).z).toEqual(merged);
    expect(Object.keys(read(`${base}z: ${written}`).z as object)).toEqual(Object.keys(merged));
  });

  test("leave the texts of a file as they are", () => {
    const script = ["cat <<EOF > a", "x <<< y", "<<"];
    expect(read(JSON.stringify({ "<<a<<": { script } }))).toEqual({ "<<a<<": { script } });
  });

  test("cost what they copy", () => {
    const text = `base: &b\n${times(1000, (at) => `  k${at}: 1`).join("\n")}\n`;
    for (const job of ["\n  <<: *b", " {'<<': *b}"]) {
      const budget = new Budget();
      const file = text + times(1000, (at) => `j${at}:${job}`).join("\n");
      expect(() => parseYaml(file, budget)).toThrow("The parsed YAML is too big");
      expect(budget.spent).toBeLessThan(stepsMax);
    }
  });
});

describe("a file with two documents", () => {
  const spec = "spec: {inputs: {a: }}";
  test.each([
    [`${spec}\n---\nb: 1`, { header: { spec: { inputs: { a: null } } }, content: { b: 1 } }],
    [`---\n# head\n${spec}\n--- # body\nb: 1\n`, { header: { spec: { inputs: { a: null } } }, content: { b: 1 } }],
    ["a: 1\n---\nb: 1", { content: { a: 1 } }],
    ["---\na: 1\n---\n", { content: { a: 1 } }],
    ["# nothing\n---\na: 1\n...\n", { content: { a: 1 } }],
    ["# nothing", { content: {} }],
    [spec, { content: { spec: { inputs: { a: null } } } }],
  ])("%j has a header if the first says spec", (text, expected) => {
    expect(parseDocuments(text, new Budget())).toEqual({ header: undefined, ...expected });
  });

  test("names the line of an error in the file", () => {
    expect(() => read(`---\n${spec}\n---\na:\n  b: c: d`)).toThrow("in this context at line 5 column 7");
    expect(() => read("a: 1\n---\n- x")).toThrow("Invalid configuration format");
  });
});

describe("a file that is no YAML", () => {
  test.each([
    ["a: b: c", "mapping values are not allowed in this context at line 1 column 5"],
    ["a: b\n  c: d", "mapping values are not allowed in this context at line 2 column 4"],
    ["a\nb: c", "mapping values are not allowed in this context at line 2 column 2"],
    ["a: - b", "block sequence entries are not allowed in this context at line 1 column 4"],
    ["a: ? b", "mapping keys are not allowed in this context at line 1 column 4"],
    ["a:\n  - b\n c: d", "did not find expected key while parsing a block mapping at line 1 column 1"],
    ["a: [x]]", "did not find expected key while parsing a block mapping at line 1 column 1"],
    ["- a\nb: c", "did not find expected '-' indicator while parsing a block collection at line 1 column 1"],
    ["[", "did not find expected node content while parsing a flow node at line 1 column 2"],
    ["a: [b", "did not find expected ',' or ']' while parsing a flow sequence at line 1 column 4"],
    ["a: {b: c", "did not find expected ',' or '}' while parsing a flow mapping at line 1 column 4"],
    ["a: [b:, c]", "found unexpected ':' while scanning a plain scalar at line 1 column 5"],
    ["a: [,]", "did not find expected node content while parsing a flow node at line 1 column 5"],
    ["a: &x &y z", "did not find expected node content while parsing a block node at line 1 column 7"],
    ["a: b\nc\nd: e", "could not find expected ':' while scanning a simple key at line 2 column 1"],
    ["a:\n\t- b", "found character that cannot start any token while scanning for the next token at line 2 column 1"],
    ["a: @x", "found character that cannot start any token while scanning for the next token at line 1 column 4"],
    [
      "a: x\n  y\n\tz",
      "found a tab character that violates indentation while scanning a plain scalar at line 1 column 4",
    ],
    ["a: 'x", "found unexpected end of stream while scanning a quoted scalar at line 1 column 4"],
    ["a: 'x\n---\n'", "found unexpected end of stream while scanning a quoted scalar at line 1 column 4"],
    ["a: 'x\n...\n'", "found unexpected document indicator while scanning a quoted scalar at line 1 column 4"],
    ['a: "\\q"', "found unknown escape character while parsing a quoted scalar at line 1 column 4"],
    ['a: "\\x0g"', "did not find expected hexdecimal number while parsing a quoted scalar at line 1 column 4"],
    ['a: "\\ud800"', "found invalid Unicode character escape code while parsing a quoted scalar at line 1 column 4"],
    ["a: |x\n  y", "did not find expected comment or line break while scanning a block scalar at line 1 column 4"],
    ["a: |0\n  y", "found an indentation indicator equal to 0 while scanning a block scalar at line 1 column 4"],
    ["a: &.b c", "did not find expected alphabetic or numeric character while scanning an anchor at line 1 column 4"],
    ["a: !x[b]", "did not find expected whitespace or line break while scanning a tag at line 1 column 4"],
    ["a: \0", "control characters are not allowed at line 1 column 4"],
  ])("%j", (text, message) => {
    expect(() => read(text)).toThrow(new CiFileError(`(<unknown>): ${message}`));
  });

  test.each([
    ["a: *b", "Unknown alias: b"],
    ["a: &a [*a]", "The parsed YAML is too big"],
    ["a: &a {b: {<<: *a}}", "The parsed YAML is too big"],
    ["text", "Invalid configuration format"],
    ["[a]", "Invalid configuration format"],
  ])("or has another fault: %j", (text, message) => {
    expect(() => read(text)).toThrow(new CiFileError(message));
  });
});

test("any text is read, or refused", () => {
  const mark = fc.constantFrom(
    ..."[]{}:,-?&*!|>'\"#% \n\tab1",
    "---",
    "...",
    "<<",
    "- ",
    ": ",
    "\n  ",
    "\n- ",
    "&a ",
    "*a",
  );
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 12 }), (marks) => {
      try {
        parseDocuments(marks.join(""), new Budget());
      } catch (error) {
        if (!(error instanceof CiFileError)) throw error;
      }
    }),
    { numRuns: 5_000 },
  );
});

describe("the limits of a file", () => {
  const filled = (unit: string, before = "", after = "") => `${before}${unit.repeat(1_048_000 / unit.length)}${after}`;

  test.each([
    ["explicit keys", filled("? a,", "a: [", "]")],
    ["pairs", filled("[a]: b,", "a: {", "}")],
    ["empty lists", filled("[],", "a: [", "]")],
    ["entries without a value", filled("-\n")],
    ["short entries", filled("- a\n")],
    ["aliases", filled("- *x\n", "a: &x 1\nb:\n")],
    ["anchored keys", filled("k: &a\n")],
    ["lists in lists", filled("[")],
    ["mappings in mappings", filled("{a: ")],
    ["dashes", filled("- ")],
    ["indented keys", times(1400, (at) => `${" ".repeat(at)}a:`).join("\n")],
    ["a long text that many name", `s: &s ${"x".repeat(10_000)}\nl: [${Array(990).fill("*s").join(",")}]`],
  ])("a file of 1 MB of %s is refused within its budget", (_, text) => {
    const budget = new Budget();
    expect(() => parseYaml(text, budget)).toThrow(CiFileError);
    expect(budget.spent).toBeLessThan(stepsMax + 1000);
  });

  test("a file of 1 MB of text, or of thousands of jobs, is read", () => {
    expect(read(`a: |\n${"  curl https://a.example/?b=c, -d e\n".repeat(10_000)}`)).toBeDefined();
    const jobs = times(5_000, (at) => `job-${at}: {script: [a, b], tags: [c], needs: []}`);
    expect(Object.keys(read(jobs.join("\n")))).toHaveLength(5_000);
  });
});
