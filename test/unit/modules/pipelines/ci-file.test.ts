import { describe, expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/ci/pipelines/creation/plan.ts";

const branch = { ref: "main", tag: false, source: "push" } as const;

function plan(text: string, occasion: Parameters<typeof planJobs>[1] = branch, given: Record<string, string> = {}) {
  const variables = Object.entries(given).map(([key, value]) => ({ variable_type: "env_var" as const, key, value }));
  return planJobs(text, occasion, { CI_PIPELINE_SOURCE: occasion.source }, variables);
}

function jobsOf(...args: Parameters<typeof plan>) {
  const planned = plan(...args);
  if (planned === "filtered") throw new Error("filtered");
  return planned.jobs;
}

const namesOf = (...args: Parameters<typeof plan>) => jobsOf(...args).map(({ name }) => name);

describe("a CI file", () => {
  test("has its jobs in the order of the stages, without hidden ones", () => {
    const text = "ship: {stage: deploy, script: s}\none: {script: t}\nfirst: {stage: .pre, script: p}\n.x: {script: h}";
    expect(jobsOf(text).map(({ name, stage, stage_idx }) => [name, stage, stage_idx])).toEqual([
      ["first", ".pre", 0],
      ["one", "test", 2],
      ["ship", "deploy", 3],
    ]);
  });

  test("gives jobs its defaults, and what they extend", () => {
    const text = `
default: {image: alpine, tags: [linux], before_script: [prepare]}
variables: {A: 1}
.base: {variables: {B: base, C: base}, script: [base]}
job: {extends: .base, variables: {C: own}, tags: []}
other: {extends: [.base], script: [own, [nested]], image: busybox}`;
    const [job, other] = jobsOf(text);
    expect(job).toMatchObject({
      tag_list: [],
      config: { image: "alpine", before_script: ["prepare"], script: ["base"], variables: { B: "base", C: "own" } },
    });
    expect(other).toMatchObject({ tag_list: ["linux"], config: { image: "busybox", script: ["own", "nested"] } });
    expect(plan(text)).toMatchObject({ variables: { A: "1" } });
  });

  test.each([
    ["text", "Invalid configuration format"],
    [".x: {script: y}", "jobs config should contain at least one visible job"],
    ["a: {stage: test}", "jobs a config should implement the script:, run:, or trigger: keyword"],
    [
      "a: {stage: nope, script: x}",
      "a job: chosen stage nope does not exist; available stages are .pre, build, test, deploy, .post",
    ],
    ["a: {script: x, needs: [b]}", "a job: undefined need: b"],
    ["a: {script: x, needs: [b]}\nb: {script: x, needs: [a]}", "The pipeline has circular dependencies"],
    ["a: {script: x, extends: .b}", "a: unknown keys in `extends` (.b)"],
    ["a: {extends: a, script: x}", "a: circular dependency detected in `extends`"],
    ["a: {script: x, when: later}", "jobs:a when should be one of"],
    ["a: {script: x, rules: [{if: '$A =='}]}", "invalid expression syntax"],
    ["a: {script: x, needs: [b]}\nb: {script: x, rules: [{when: never}]}", "'a' job needs 'b' job"],
    [
      `x: &a [1,1,1,1,1,1,1,1]\n${"bcdefg".replace(/./g, (k) => `${k}: &${k} [*${String.fromCharCode(k.charCodeAt(0) - 1)},${`*${String.fromCharCode(k.charCodeAt(0) - 1)},`.repeat(7)}]\n`)}`,
      "The parsed YAML is too big",
    ],
  ])("%p is refused", (text, message) => {
    expect(() => plan(text)).toThrow(message);
  });
});

test("a repeated keyword has its last value", () => {
  expect(jobsOf("a: {script: x, script: y}")).toMatchObject([{ config: { script: ["y"] } }]);
});

test("an error message has a limited length, whatever it quotes", () => {
  const error = (() => {
    try {
      return plan(`a: {script: x, stage: ${"y".repeat(100_000)}}`);
    } catch (caught) {
      return caught;
    }
  })();
  expect(error).toHaveProperty("message", expect.stringMatching(/^a job: chosen stage y{900,}…$/));
});

const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

describe("a small file that expands to a huge one is refused before it delays others", () => {
  const extending = (count: number) => times(count, (at) => `j${at}: {extends: .b}`).join("\n");

  test.each([
    [
      "a list that many jobs extend",
      `.b: {script: x, needs: [${"a,".repeat(20_000)}a]}\na: {script: x}\n${extending(100)}`,
    ],
    ["a text that many jobs share", `.b: {script: &x "${"y".repeat(500_000)}"}\n${extending(100)}`],
    [
      "a default of many jobs",
      `default: {image: "${"y".repeat(500_000)}"}\n${times(100, (at) => `j${at}: {script: x}`).join("\n")}`,
    ],
    [
      "what is extended again and again",
      `.b: {script: x, variables: {${times(2000, (at) => `K${at}: 1`).join(",")}}}\nj: {extends: [${".b,".repeat(2000)}.b]}`,
    ],
  ])("%s", (_, text) => {
    expect(() => plan(text)).toThrow("The parsed YAML is too big");
  });

  test("rules that are evaluated too often", () => {
    const expression = times(400, () => '"a"=="b"').join(" && ");
    const text = `a: {script: x, rules: [{if: &x '${expression}'}, ${"{if: *x},".repeat(1200)}{when: never}]}`;
    expect(() => plan(text)).toThrow("The parsed YAML is too big");
  });

  test("but repeated extends of the same thing are resolved once", () => {
    const generations = times(9, (at) => `.e${at + 1}: {extends: [${`.e${at},`.repeat(9)}.e${at}]}`);
    const text = `.e0: {script: x, tags: [t]}\n${generations.join("\n")}\nj: {extends: .e9}`;
    expect(jobsOf(text)).toMatchObject([{ name: "j", tag_list: ["t"], config: { script: ["x"] } }]);
    expect(() => plan(`${text}\n.e10: {extends: .e9}\nk: {extends: .e10}`)).toThrow(
      ".e0: nesting too deep in `extends`",
    );
  });

  test("and needs of all jobs before are resolved once", () => {
    const text = times(250, (at) => `j${at}: {script: x, needs: [${times(at, (of) => `j${of}`).join(",")}]}`).join(
      "\n",
    );
    expect(() => plan(text)).toThrow("j51: one job can only need 50 others, but you have listed 51.");
    expect(() => plan(`${text.replace("needs: []", "needs: [j249]")}`)).toThrow(
      "The pipeline has circular dependencies",
    );
  });
});

test("names of the language's own objects are ordinary names", () => {
  const text = `
__proto__: {script: x, variables: {__proto__: a, constructor: b}}
constructor: {script: y, needs: [__proto__]}`;
  const jobs = jobsOf(text);
  expect(jobs.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  expect(Object.entries(jobs[0]?.config.variables ?? {})).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  expect(() => plan("a: {script: x, extends: __proto__}")).toThrow("a: unknown keys in `extends` (__proto__)");
});

describe("rules", () => {
  test("use the first that matches, and none means never", () => {
    const text = `
a: {script: x, rules: [{if: '$KIND == "full"', when: always, variables: {FROM: rule}}, {if: '$KIND == "no"', when: never}, {when: manual}]}
b: {script: x, rules: [{if: '$KIND == "full"'}]}`;
    expect(jobsOf(text, branch, { KIND: "full" })).toMatchObject([
      { name: "a", when: "always", allow_failure: false, config: { variables: { FROM: "rule" } } },
      { name: "b", when: "on_success" },
    ]);
    expect(namesOf(text, branch, { KIND: "no" })).toEqual([]);
    expect(jobsOf(text, branch)).toMatchObject([{ name: "a", when: "manual", allow_failure: false }]);
  });

  test("of a job make it block unless one of them made it manual", () => {
    const [own] = jobsOf("a: {script: x, when: manual}");
    expect(own).toMatchObject({ when: "manual", allow_failure: true });
    const [blocking] = jobsOf("a: {script: x, when: manual, allow_failure: false}");
    expect(blocking).toMatchObject({ allow_failure: false });
  });

  test("of the workflow decide whether there is a pipeline, and add variables", () => {
    const text = `
workflow: {name: Nightly, rules: [{if: '$CI_PIPELINE_SOURCE == "push"', variables: {A: from workflow}}]}
job: {script: x, rules: [{if: '$A == "from workflow"'}]}`;
    expect(plan(text)).toMatchObject({ name: "Nightly", jobs: [{ name: "job" }] });
    expect(plan(text, { ...branch, source: "web" })).toBe("filtered");
  });

  test("only and except check kinds of refs, names, patterns and variables", () => {
    const text = `
all: {script: x}
tagged: {script: x, only: [tags]}
named: {script: x, only: [main, /^rel-/]}
unnamed: {script: x, except: [main]}
triggered: {script: x, only: [triggers]}
both: {script: x, only: {refs: [branches], variables: ['$GO']}}`;
    expect(namesOf(text)).toEqual(["all", "named"]);
    expect(namesOf(text, branch, { GO: "1" })).toEqual(["all", "named", "both"]);
    expect(namesOf(text, { ...branch, ref: "rel-1" })).toEqual(["all", "named", "unnamed"]);
    expect(namesOf(text, { ref: "v1", tag: true, source: "trigger" })).toEqual([
      ...["all", "tagged", "unnamed", "triggered"],
    ]);
  });
});
