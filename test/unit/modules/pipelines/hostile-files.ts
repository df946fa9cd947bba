/** The longest, most repeated and most nested of each kind of thing in a CI file, and how reading it ends. */
export interface HostileFile {
  readonly text: string;
  /** Part of the error message; undefined: there is a pipeline, or it has no jobs. */
  readonly error?: string;
}

const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));
const listed = (count: number, make: (at: number) => string) => times(count, make).join(", ");
const jobs = (count: number, content: string) => times(count, (at) => `j${at}: ${content}`).join("\n");
const rule = (content: string) => `a: {script: x, rules: [${content}]}`;
const ideographs = (from: number) => String.fromCharCode(...Array.from({ length: 930 }, (_, at) => 0x4e00 + from + at));

/** A list of a list of a list: each level has the one before it eight times. */
const aliases = times(
  9,
  (at) => `x${at}: &a${at} [${Array.from({ length: 8 }, () => (at === 0 ? "z" : `*a${at - 1}`)).join(",")}]`,
).join("\n");

const tooMuchWork = "the file takes too long to work out";
const tooMuchMatching = "the patterns of the file take too long to match";
const tooBig = "The parsed YAML is too big";
const tooMany = "jobs config should contain at most 500 jobs";

const yaml: Readonly<Record<string, HostileFile>> = {
  "lists in lists": { text: "[".repeat(140_000), error: tooBig },
  "mappings in mappings": { text: "{a: ".repeat(70_000), error: tooBig },
  "lists in lists that end": { text: `a: {script: ${"[".repeat(500)}x${"]".repeat(500)}}`, error: tooBig },
  "anchors and aliases": {
    text: `${jobs(20_000, "&a x")}\nz: [${"*a,".repeat(20_000)}]`,
    error: tooMany,
  },
  "lists in lists with a reference": { text: `a: !reference ${"[".repeat(130_000)}`, error: tooBig },
  "empty lines with a reference": { text: `a: {script: x}\n#!reference${"\n".repeat(130_000)}` },
  "dashes with a reference": { text: `a: !reference\n${"- ".repeat(65_000)}`, error: tooBig },
  "words with a reference": {
    text: `a: !reference\n${"- a\n".repeat(32_000)}`,
    error: '!reference ["a", "a"',
  },
  "a key of aliases of aliases": { text: `${aliases}\n? *a8\n: 1`, error: tooMuchWork },
  "a key of aliases in braces": { text: `${aliases}\nj: {? *a7 : 1}`, error: tooMuchWork },
  "a reference to aliases of aliases": { text: `${aliases}\nj: !reference [*a7]`, error: tooMuchWork },
  "many keys of one long list": {
    text: `a: &a [${"x,".repeat(5_000)}]\n${times(2_000, (at) => `? [*a, ${at}]\n: 1`).join("\n")}`,
    error: tooMuchWork,
  },
  "a long text in lists in a key": {
    text: `a: &a ${"x".repeat(100_000)}\n? ${"[".repeat(90)}*a${"]".repeat(90)}\n: 1`,
    error: "should implement",
  },
  "one long key of many mappings": {
    text: `a: &a ${"k".repeat(100_000)}\n${times(900, (at) => `.k${at}: {? *a : 1}`).join("\n")}`,
    error: tooBig,
  },
  "merge keys": { text: `x: &a {${listed(300, (at) => `k${at}: 1`)}}\n${jobs(300, "{<<: *a}")}`, error: tooBig },
  "keys of one name": { text: "k: x\n".repeat(140_000), error: tooBig },
  "jobs without anything": { text: jobs(90_000, "{}"), error: tooBig },
};

const languageParts: Readonly<Record<string, HostileFile>> = {
  "jobs of many copies": { text: jobs(500, "{script: x, parallel: 200}"), error: tooMany },
  "dependencies with one name": {
    text: `a: {script: x, parallel: 200}\nb: {script: x, stage: deploy, parallel: 200, dependencies: [${listed(1000, () => "a")}]}`,
  },
  "a matrix of many keys": {
    text: `a: {script: x, parallel: {matrix: [{${listed(20_000, (at) => `K${at}: v`)}}]}}`,
    error: "name is too long",
  },
  "a matrix of long values": {
    text: `a: {script: x, parallel: {matrix: [{L: ${"x".repeat(900_000)}, V: [${listed(200, (at) => `v${at}`)}]}]}}`,
    error: tooMuchWork,
  },
  "needs of some copies": {
    text: `a: {script: x, parallel: &p {matrix: [{A: [${listed(200, (at) => `v${at}`)}]}]}}
b: {script: x, needs: [${listed(200, () => "{job: a, parallel: *p}")}]}`,
    error: tooMuchWork,
  },
  "needs in rules": {
    text: `${times(12, (at) => `a${at}: {script: x}`).join("\n")}
.b: {script: x, rules: [${"{if: $A, needs: [a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,a11]},".repeat(24)}{when: always}]}
${jobs(488, "{extends: .b}")}`,
  },
  "jobs that need each other in a circle": {
    text: times(500, (at) => `j${at}: {script: x, needs: [j${(at + 1) % 500}]}`).join("\n"),
    error: "circular dependencies",
  },
  "rules of many jobs": {
    text: `.b: {script: x, rules: [${"{if: $A},".repeat(240)}{when: always}]}\n${jobs(500, "{extends: .b}")}`,
    error: tooMuchWork,
  },
  "variables of many jobs": {
    text: `variables: {${listed(20_000, (at) => `K${at}: v`)}}\n${jobs(500, "{script: x, rules: [{if: $K1}]}")}`,
  },
  "inherited variables of many jobs": {
    text: `variables: {${listed(12_000, (at) => `K${at}: v`)}}
.b: {script: x, inherit: {variables: [${listed(400, (at) => `X${at}`)}]}}\n${jobs(500, "{extends: .b}")}`,
  },
  "what is extended over and over": {
    text: `.e: {variables: {${listed(900, (at) => `K${at}: 1`)}}}\n${jobs(500, "{script: x, extends: .e}")}`,
    error: tooBig,
  },
  "a long list of what is extended": {
    text: `.e: {when: always}\na: {script: x, extends: [${".e,".repeat(40_000)}.e]}`,
  },
  "references to references": {
    text: `.r0: {s: [x]}\n${times(3000, (at) => `.r${at + 1}: {s: !reference [.r${at % 9}, s]}`).join("\n")}
a: {script: !reference [.r3000, s]}`,
  },
  "stages of many jobs": {
    text: `stages: [${listed(40_000, (at) => `s${at}`)}]\n${jobs(499, "{script: x, stage: s39999}")}`,
  },
  "unknown keywords": {
    text: `a: {script: x, ${listed(20_000, (at) => `u${at}: 1`)}}`,
    error: "config contains unknown keys",
  },
  "includes by patterns": { text: `include: [${listed(2000, (at) => `"n${at}*.yml"`)}]`, error: tooMuchMatching },
  "includes by rules": {
    text: `include: [${listed(5000, () => "{local: a.yml, rules: [{if: $A}]}")}]\na: {script: x}`,
  },
  "includes of the same file": { text: `include: [${listed(151, () => "a.yml")}]`, error: "Maximum of 150" },
};

const expressions: Readonly<Record<string, HostileFile>> = {
  parentheses: { text: rule(`{if: '${"(".repeat(4990)}$A${")".repeat(4990)}'}`), error: "invalid expression syntax" },
  "a variable in a variable in a variable": {
    text: `variables: {V0: x, ${listed(3000, (at) => `V${at + 1}: "$V${at}$V${at}"`)}}\n${rule("{if: $V3000}")}`,
    error: "variables name each other too deep",
  },
  "a variable that names another one often": {
    text: `variables: {B: "${"b".repeat(900)}", V: "${"$B".repeat(1000)}"}\n${jobs(500, "{script: x, tags: [$V]}")}`,
    error: "variables are too long when expanded",
  },
  "variables that are not there": {
    text: `variables: {V: "${"$X".repeat(240_000)}"}\n${jobs(2, "{script: x, tags: [$V]}")}`,
    error: tooMuchWork,
  },
  "long expressions": {
    text: `${times(90, (at) => `.r${at}: &r${at} {if: '${"$A || ".repeat(1400)}$A${at}'}`).join("\n")}
a: {script: x, rules: [${listed(270, (at) => `*r${at % 90}`)}, {when: always}]}`,
    error: "The parsed YAML is too big",
  },
  "a long text that is matched again and again": {
    text: `variables: {BIG: "${"y".repeat(100_000)}"}
.b: {script: x, rules: [${"{if: '$BIG =~ /x/'},".repeat(40)}{when: always}]}\n${jobs(500, "{extends: .b}")}`,
    error: tooMuchMatching,
  },
  "large patterns": {
    text: rule(listed(400, (at) => `{if: '$A =~ /(a{30}){30}${at}/'}`)),
    error: tooMuchMatching,
  },
  "patterns of large classes": {
    text: rule(listed(1000, (at) => `{if: '$A =~ /${"[^b-x\\pL]".repeat(20)}${at}/i'}`)),
    error: tooMuchMatching,
  },
  "patterns of classes that reach far": {
    text: rule(listed(100, (at) => `{if: '$A =~ /${"[b-\\x{ffffe}]".repeat(18)}${at}/i'}`)),
    error: tooMuchMatching,
  },
  "a pattern and a text that fit badly": {
    text: `variables: {T: "${"ab".repeat(50_000)}"}\n${rule("{if: '$T =~ /(a|b)*a(a|b){200}[cd]/'}")}`,
    error: tooMuchMatching,
  },
  "names of refs": { text: `a: {script: x, only: ["/${"/@".repeat(200_000)}\\nx"]}` },
  "many names of refs": { text: `a: {script: x, only: [${listed(45_000, (at) => `b${at}`)}]}` },
};

const paths: Readonly<Record<string, HostileFile>> = {
  "large classes": {
    text: rule(`{exists: [${listed(50, (at) => `"**/*[${ideographs(at)}X]"`)}]}`),
    error: tooMuchMatching,
  },
  stars: { text: rule(`{exists: [${listed(50, (at) => `"**/*${"a*".repeat(300)}${at}b"`)}]}`) },
  "stars between folders": {
    text: rule(`{exists: [${listed(50, (at) => `"${"**/*a*/".repeat(130)}${at}*"`)}]}`),
    error: tooMuchMatching,
  },
  "many patterns": {
    text: rule(listed(200, (of) => `{exists: [${listed(50, (at) => `"n${of}x${at}*"`)}]}`)),
    error: tooMuchMatching,
  },
  "many patterns of what changed": {
    text: rule(listed(200, (of) => `{changes: [${listed(50, (at) => `"**/n${of}x${at}a"`)}]}`)),
    error: tooMuchMatching,
  },
  braces: {
    text: rule(
      listed(20, (of) => `{exists: [${listed(50, (at) => `"{${listed(99, (no) => `b${no}`)}}${of}x${at}*"`)}]}`),
    ),
    error: tooMuchMatching,
  },
  "many names": { text: rule(listed(800, (of) => `{exists: [${listed(50, (at) => `n${of}x${at}`)}]}`)) },
};

export const hostileFiles: Readonly<Record<string, HostileFile>> = {
  ...yaml,
  ...languageParts,
  ...expressions,
  ...paths,
};

/** As many as are looked at. */
export const hostilePaths = times(20_000, (at) => `dir${at % 50}/sub${at % 7}/${"a".repeat(150)}${at}`).sort();
