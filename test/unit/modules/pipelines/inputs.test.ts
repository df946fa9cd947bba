import { describe, expect, test } from "bun:test";
import { OneAtATime } from "../../../../src/lib/one-at-a-time.ts";
import { Budget, CiFileError, type CiFiles, Includes, stepsMax } from "../../../../src/modules/ci/ci-config/index.ts";

const variables = new Map([
  ["NAME", "value"],
  ["NESTED", "$NAME"],
]);
const predefined = new Map([["CI_SERVER_URL", "https://ci.example:8443"]]);

function filesOf(texts: Readonly<Record<string, string>>, others: Readonly<Record<string, CiFiles>> = {}): CiFiles {
  return {
    sha: "5e1f",
    tag: "v1",
    read: async (path) => texts[path],
    files: async () => ({ all: Object.keys(texts).sort(), changed: undefined }),
    of: async (project, ref) => (ref === "none" ? "no ref" : (others[project] ?? "no project")),
  };
}

const read = (text: string, inputs: object = {}, files = filesOf({}), budget = new Budget()) =>
  new Includes(variables, predefined, new OneAtATime(), budget).read(text, files, ".gitlab-ci.yml", { ...inputs });

async function errorOf(reading: Promise<unknown>): Promise<string | undefined> {
  try {
    await reading;
    return undefined;
  } catch (error) {
    if (error instanceof CiFileError) return error.message;
    throw error;
  }
}

/** A file with these inputs, one a line. */
const withSpec = (inputs: string, content = "a: b") =>
  `spec:\n  inputs:\n${inputs.replaceAll(/^/gm, "    ")}\n---\n${content}`;
const all = (...names: readonly string[]) => names.map((name) => `${name}: $[[ inputs.${name} ]]`).join("\n");

describe("an input", () => {
  test.each([
    ["a:", { a: "x" }, "x"],
    ["a:", { a: 1 }, "1"],
    ["a:", { a: true }, "true"],
    ["a: {default: d}", {}, "d"],
    ["a: {default: 1.0}", {}, "1.0"],
    ["a: {default: }", {}, ""],
    ["a: {type: number}", { a: 8 }, 8],
    ["a: {type: number}", { a: "8" }, 8],
    ["a: {type: number, default: 9}", {}, 9],
    ["a: {type: boolean}", { a: false }, false],
    ["a: {type: boolean}", { a: "true" }, true],
    ["a: {type: array, default: [x]}", {}, ["x"]],
    ["a: {type: array}", { a: '["y"]' }, ["y"]],
    ["a: {options: [x, 1]}", { a: "1" }, "1"],
    ["a: {type: number, options: [1, 2]}", { a: 2 }, 2],
    ["a: {regex: '^v\\d+$'}", { a: "v1" }, "v1"],
    ["a: {description: text, default: x}", {}, "x"],
  ])("%s with %j has its value", async (inputs, given, value) => {
    expect(await read(withSpec(inputs, all("a")), given)).toEqual({ a: value });
  });

  test.each([
    ["a:", {}, "`a` input: required value has not been provided"],
    ["a:", { a: "x", b: 1, c: 2 }, "unknown input arguments: b, c"],
    ["a: {type: number}", { a: "NaN!" }, "`a` input: provided value is not a number"],
    ["a: {type: number, default: x}", {}, "`a` input: default value is not a number"],
    ["a: {type: boolean}", { a: "no" }, "`a` input: provided value is not a boolean"],
    ["a: {type: array}", { a: "x" }, "`a` input: provided value is not an array"],
    [
      "a: {options: [x, y]}",
      { a: "z" },
      "`a` input: `z` cannot be used because it is not in the list of allowed options",
    ],
    [
      "a: {type: number, options: [1]}",
      { a: 2 },
      "`a` input: `2` cannot be used because it is not in the list of the allowed options",
    ],
    [
      "a: {default: z, options: [x]}",
      { a: "x" },
      "`a` input: `z` cannot be used because it is not in the list of allowed options",
    ],
    [
      "a: {type: boolean, options: [true]}",
      { a: true },
      "`a` input: Options can only be used with string and number inputs",
    ],
    ["a: {regex: ^v}", { a: "x" }, "`a` input: provided value does not match required RegEx pattern"],
    ["a: {regex: ^v, default: x}", {}, "`a` input: default value does not match required RegEx pattern"],
    ["a: {regex: '['}", { a: "x" }, "`a` input: invalid regular expression"],
    ["a: {type: number, regex: x}", { a: 1 }, "`a` input: RegEx validation can only be used with string inputs"],
    [
      "a: {type: boolean}\nb: \nc: {type: number}\nd:",
      { a: "no", c: "yes" },
      "`a` input: provided value is not a boolean, `b` input: required value has not been provided, `c` input: provided value is not a number",
    ],
  ])("%s with %j is refused", async (inputs, given, message) => {
    expect(await errorOf(read(withSpec(inputs), given))).toBe(message);
  });

  const rules = `
env: {default: prod, options: [dev, prod]}
region:
  rules:
    - {if: '$[[ inputs.env ]] == "prod"', options: [us, eu], default: us}
    - {if: '$[[ inputs.env ]] == "dev"', options: [local], default: local}
zone: {rules: [{if: '$[[ inputs.region ]] == "us" || $NAME == "other"', default: us-1}, {options: [any, us-1]}]}`.trim();

  test.each([
    [{}, { env: "prod", region: "us", zone: "us-1" }],
    [
      { region: "eu", zone: "any" },
      { env: "prod", region: "eu", zone: "any" },
    ],
    [{ env: "dev" }, { env: "dev", region: "local", zone: "" }],
  ])("with rules has what the first true one says: %j", async (given, values) => {
    expect(await read(withSpec(rules, all("env", "region", "zone")), given)).toEqual(values);
  });

  test("with rules takes only their options", async () => {
    expect(await errorOf(read(withSpec(rules), { env: "dev", region: "eu" }))).toBe(
      "`region` input: `eu` cannot be used because it is not in the list of allowed options",
    );
  });
});

describe("a header", () => {
  const place = "header:spec:inputs:a";
  test.each([
    ["spec: {arguments: {a: }}", "header:spec config contains unknown keys: arguments"],
    ["spec: text", "header:spec config should be a hash"],
    ["spec: {inputs: [a]}", "header:spec:inputs config should be a hash"],
    ["spec: {}\nother: 1", "header config contains unknown keys: other"],
    ["spec: {inputs: {a: 1}}", `${place} config should be a hash`],
    ["spec: {inputs: {a: {bad: x}}}", `${place} config contains unknown keys: bad`],
    ["spec: {inputs: {a: {type: datetime}}}", `${place} input type unknown value: datetime`],
    ["spec: {inputs: {a: {regex: []}}}", `${place} input regex should be a string`],
    ["spec: {inputs: {a: {options: x}}}", `${place} input options should be a array`],
    ["spec: {inputs: {a: {description: [x]}}}", `${place} input description must be an alphanumeric string`],
    [
      `spec: {inputs: {a: {options: [${Array.from({ length: 51 }, (_, at) => at)}]}}}`,
      `${place} config cannot define more than 50 options`,
    ],
    ["spec: {inputs: {a: {rules: x}}}", `${place}:rules config should be a array`],
    ["spec: {inputs: {a: {rules: [x]}}}", `${place}:rules:rule config should be a hash`],
    ["spec: {inputs: {a: {rules: [{if: $B}]}}}", "rule with 'if' must define 'options' or 'default'"],
    ["spec: {inputs: {a: {rules: [{default: x}]}}}", "fallback rule must define 'options'"],
    [
      `spec: {inputs: {a: {rules: [{if: '$[[ inputs.b ]] && $[[ inputs.c ]]', options: [x]}]}}}`,
      `${place} config rule[0] references undefined inputs: b, c`,
    ],
    [
      `spec: {inputs: {a: {rules: [{if: '$[[ inputs.b ]]', options: [x]}]}, b: {rules: [{if: '$[[ inputs.a ]]', options: [x]}]}}}`,
      `${place} config circular dependency detected`,
    ],
    [`spec: {inputs: {a: {rules: [{if: '$[[ inputs.a ]]', options: [x]}]}}}`, "circular dependency detected"],
    ["spec: {component: name}", "header:spec:component config should be a array"],
    ["spec: {component: [x]}", "header:spec:component config contains unknown values: x"],
  ])("%s is refused", async (header, message) => {
    expect(await errorOf(read(`${header}\n---\na: b`))).toContain(message);
  });

  test("takes inputs of other files", async () => {
    const files = filesOf({ "in/base.yml": "inputs: {a: {default: base}, b: {default: base}}" });
    const text = `spec: {include: [in/base.yml], inputs: {b: {default: own}}}\n---\n${all("a", "b")}`;
    expect(await read(text, { a: "given" }, files)).toEqual({ a: "given", b: "own" });
    expect(await errorOf(read("spec: {include: no.yml}\n---\na: b"))).toBe("Local file `no.yml` does not exist!");
  });

  test("is needed for given inputs", async () => {
    expect(await errorOf(read("a: b", { c: 1 }))).toBe(
      "Given inputs not defined in the `spec` section of the included configuration file",
    );
  });
});

describe("a block", () => {
  const inputs =
    "s: {default: 'abcdef'}\nn: {type: number, default: 3}\nf: {type: boolean, default: false}\nl: {type: array, default: [x, {y: z}]}";
  test.each([
    ["$[[ inputs.s ]]-$[[inputs.n]]-$[[ inputs.f ]]", "abcdef-3-false"],
    ["$[[ inputs.l ]]", ["x", { y: "z" }]],
    ["$[[ inputs.n ]]", 3],
    ["in $[[ inputs.l ]]", 'in ["x", {"y"=>"z"}]'],
    ["$[[ inputs.s | truncate(1,5) | truncate(2 , 2) ]]", "de"],
    ["$[[ inputs.s|truncate(9,5) ]]", ""],
    ["$[[ in ]", "$[[ in ]"],
    ["$[[ i ]]", "$[[ i ]]"],
    ["$[[ inputs.\nn ]] $[[ inputs.n\n]]", "$[[ inputs.\nn ]] 3"],
    ["]] $[[\t inputs.n ]]]]", "]] 3]]"],
  ])("%s stands for a value", async (text, value) => {
    expect(await read(withSpec(inputs, JSON.stringify({ a: text })))).toEqual({ a: value });
  });

  test("may be in keys and in lists", async () => {
    const content = '"k-$[[ inputs.n ]]": ["$[[ inputs.l ]]", "$[[ inputs.s ]]", [$[[ inputs.f ]]]]';
    expect(await read(withSpec(inputs, content.replace("[$[[ inputs.f ]]]", '["$[[ inputs.f ]]"]')))).toEqual({
      "k-3": ["x", { y: "z" }, "abcdef", [false]],
    });
  });

  test("without a header is text", async () => {
    expect(await read("a: $[[ inputs.s ]]")).toEqual({ a: "$[[ inputs.s ]]" });
  });

  test.each([
    ["$NAME \x24{NAME} %NAME% $NESTED $OTHER", "expand_vars", "value value value $NAME $OTHER"],
    ["String with \" and ' and  blanks", "posix_escape", "String\\ with\\ \\\"\\ and\\ \\'\\ and\\ \\ blanks"],
    ["file.txt; rm -rf /", "posix_escape", "file.txt\\;\\ rm\\ -rf\\ /"],
    ["a\nb", "posix_escape", "a'\n'b"],
    ["", "posix_escape", "''"],
    ["a, b,,c", "split(',')", ["a", "b", "c"]],
    ["", "split(';')", []],
  ])("%j | %s", async (text, name, value) => {
    const content = JSON.stringify({ a: `$[[ inputs.t | ${name} ]]` });
    expect(await read(withSpec("t:", content), { t: text })).toEqual({ a: value });
  });

  const noFunction = (name: string) =>
    `no function matching \`${name}\`: check that the function name, arguments, and types are correct`;
  test.each([
    ["inputs.x", "unknown interpolation provided: `x` in `inputs.x`"],
    ["inputs.s.x", "unknown interpolation provided: `x` in `inputs.s.x`"],
    ["xxx.yyy", "unknown interpolation provided: `xxx` in `xxx.yyy`"],
    ["component.name", "unknown interpolation provided: `name` in `component.name`"],
    ["abc[1]", "invalid interpolation access pattern"],
    [`inputs.${"x".repeat(1024)}`, "maximum interpolation expression size exceeded"],
    ["inputs.s | no", noFunction("no")],
    ["inputs.s | truncate(2)", noFunction("truncate(2)")],
    ["inputs.s | posix_escape()", noFunction("posix_escape()")],
    ["inputs.s | expand_vars | expand_vars | expand_vars | expand_vars", "too many functions in interpolation block"],
    [
      "inputs.n | truncate(1,2)",
      "error in `truncate` function: invalid input type: truncate can only be used with string inputs",
    ],
    ["inputs.s | split('')", "error in `split` function: invalid argument: separator cannot be empty"],
  ])("$[[ %s ]] is refused", async (block, message) => {
    expect(await errorOf(read(withSpec(inputs, JSON.stringify({ a: `$[[ ${block} ]]` }))))).toBe(message);
  });

  test("of a long value many times is refused within the budget", async () => {
    const budget = new Budget();
    const content = `a: "${"$[[ inputs.s ]]".repeat(50_000)}"`;
    const reading = read(withSpec("s:", content), { s: "x".repeat(100_000) }, filesOf({}), budget);
    expect(await errorOf(reading)).toBe("config too large");
    expect(budget.spent).toBeLessThan(stepsMax);
  });

  test.each([
    ["that begin and never end", "$[[ ".repeat(250_000)],
    ["that end on another line", `${"$[[x\n".repeat(200_000)}y]]`],
    ["on a line without their end", `${"$[[".repeat(300_000)}x\ny]]`],
    ["before a lot of space", `${"$[[x\n".repeat(100_000)}y${" ".repeat(500_000)}]]`],
  ])("%s, many of them, cost what their text costs", async (_, text) => {
    const budget = new Budget();
    expect(await read(withSpec("s: {default: x}", JSON.stringify({ a: text })), {}, filesOf({}), budget)).toEqual({
      a: text,
    });
    expect(budget.spent).toBeLessThan(stepsMax);
  });

  test("of more kinds than anybody writes is refused", async () => {
    const content = `a: "${Array.from({ length: 10_001 }, (_, at) => `$[[ inputs.s | truncate(0,${at}) ]]`).join("")}"`;
    expect(await errorOf(read(withSpec("s:", content), { s: "" }))).toBe("too many interpolation blocks");
  });
});

describe("include", () => {
  const template = withSpec(
    "job: {default: test}\nstage:",
    "$[[ inputs.job ]]: {script: x, stage: '$[[ inputs.stage ]]'}",
  );

  test("gives inputs to a file, each time anew, and to each file of a pattern", async () => {
    const files = filesOf({ "t/job.yml": template, "t/more/job.yml": template });
    const text = `include:
- {local: /t/job.yml, inputs: {stage: one}}
- {local: t/job.yml, inputs: {stage: two, job: other}}
- {local: 't/**/*.yml', inputs: {stage: three, job: third}}`;
    expect(await read(text, {}, files)).toEqual({
      test: { script: "x", stage: "one" },
      other: { script: "x", stage: "two" },
      third: { script: "x", stage: "three" },
    });
  });

  test("reads components of this server", async () => {
    const text = `spec: {component: [name, sha, version, reference]}\n---\na: "$[[ component.name ]] $[[ component.sha ]] $[[ component.version ]] $[[ component.reference ]]"`;
    const shop = filesOf({ "templates/one.yml": text, "templates/two/template.yml": template });
    const files = filesOf({}, { "g/shop": shop });
    const include = (name: string) => `include: [{component: 'ci.example:8443/g/shop/${name}', inputs: {}}]`;
    expect(await read(include("one@v1"), {}, files)).toEqual({ a: "one 5e1f v1 v1" });
    const at = "ci.example:8443/g/shop";
    expect(await errorOf(read(include("two@v1"), {}, files))).toBe(
      `\`${at}/two@v1\`: \`stage\` input: required value has not been provided`,
    );
    expect(await errorOf(read(include("three@v1"), {}, files))).toBe(`Component '${at}/three@v1' - content not found`);
    expect(await errorOf(read(include("one@none"), {}, files))).toBe(`Component '${at}/one@none' - content not found`);
    expect(await errorOf(read("include: [{component: other.example/g/shop/one@v1}]", {}, files))).toBe(
      "Component 'other.example/g/shop/one@v1' - the component path is not supported",
    );
    expect(await errorOf(read("include: [{component: 'ci.example:8443/g/no/one@v1'}]", {}, files))).toBe(
      "Component 'ci.example:8443/g/no/one@v1' - project does not exist or you don't have sufficient permissions",
    );
  });

  const job = (name: string) => `${name}: {script: x}`;
  const tree = filesOf({
    ".gitlab-ci.yml": job("main"),
    "c/a.yml": job("a"),
    "c/d/b.yml": job("b"),
    "c/d/e/f.yml": job("f"),
    "c/x.txt": "",
    "ca.yml": job("ca"),
  });
  test.each([
    ["c/*.yml", ["a"]],
    ["c/**.yml", ["a", "b", "f"]],
    ["c/**/*.yml", ["b", "f"]],
    ["/c/**/f.yml", ["f"]],
    ["c*.yml", ["ca"]],
    ["*.yml", ["ca"]],
    ["c/[a].yml", []],
    ["c/no*.yml", []],
  ])("%s names the files that the platform's wildcards do", async (pattern, names) => {
    const reading = read(`include: '${pattern}'\n${job("own")}`, {}, tree);
    if (pattern === "c/[a].yml") expect(await errorOf(reading)).toBe("Local file `c/[a].yml` does not exist!");
    else expect(Object.keys(await reading)).toEqual([...names, "own"]);
  });

  test.each([
    ["[[1]]", "Each include must be a hash or a string"],
    ["{locl: x.yml}", '`{"locl":"x.yml"}` does not have a valid subkey for include. Valid subkeys are: `local`,'],
    ["{local: a.yml, remote: 'https://x/a.yml'}", "Each include must use only one of: `local`, `project`, `remote`,"],
    ["{local: [a.yml]}", 'Included file `["a.yml"]` needs to be a string'],
    ["{local: .yml}", "Included file `.yml` does not have YAML extension!"],
    ["{project: g/p}", "include config must specify the file where to fetch the config from"],
    ["{project: G/P, file: a.yml}", "Project `g/p` not found or access denied! Make sure any includes in the"],
    ["{template: Auto-DevOps.gitlab-ci.yml}", "Included file `Auto-DevOps.gitlab-ci.yml` is empty or does not exist!"],
    ["{template: a.yml}", "Template file `a.yml` is not a valid location!"],
    ["{artifact: a.yml}", "include config must specify the job where to fetch the artifact from"],
    ["{remote: 'https://[/x.yml'}", "Remote file `https://[/x.yml` does not have a valid address!"],
    ["'https://ci.example/x.yml'", "Remote file `https://ci.example/x.yml` could not be fetched because"],
    ["{local: c/a.yml, inputs: [x]}", "Given inputs must be a hash"],
    ["{local: c/a.yml, rules: [{when: manual}]}", "include:rules:rule when unknown value: manual"],
    [
      "{local: c/a.yml, rules: [{allow_failure: true}]}",
      "include:rules:rule config contains unknown keys: allow_failure",
    ],
    ["{local: blank.yml}", "Included file `blank.yml` does not have valid YAML syntax!"],
    ["{local: list.yml}", "`list.yml`: Invalid configuration format"],
  ])("of %s is refused", async (include, message) => {
    const files = filesOf({ "c/a.yml": job("a"), "blank.yml": "# nothing", "list.yml": "- x" });
    expect(await errorOf(read(`include: ${include}`, {}, files))).toStartWith(message);
  });

  test("of what its rules exclude is not looked at", async () => {
    const text = `include: [{remote: 'https://x.example/a.yml', rules: [{if: $NO}]}]\n${job("own")}`;
    expect(Object.keys(await read(text))).toEqual(["own"]);
  });
});
