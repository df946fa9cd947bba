import { describe, expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/pipelines/plan.ts";

function configOf(text: string) {
  const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, {}, []);
  if (planned === "filtered") throw new Error("filtered");
  return planned.jobs[0]?.config;
}

describe("!reference", () => {
  test("puts a part of another job in its place, in lists too, with what that extends", () => {
    const text = `
.base: {script: [one, two], variables: {A: base}}
.setup: {extends: .base, before_script: [setup], after_script: [!reference [.base, script]]}
job:
  before_script: !reference [.setup, before_script]
  script:
    - !reference [.setup, script]
    - three
    - !reference [.setup, after_script]
  variables: {B: !reference [.base, variables, A]}`;
    expect(configOf(text)).toMatchObject({
      before_script: ["setup"],
      script: ["one", "two", "three", "one", "two"],
      variables: { B: "base" },
    });
  });

  test("reaches rules and what stands at the top of the file", () => {
    const text = `
default: {image: alpine}
.rules: {rules: [{if: '$NO'}, {when: manual}]}
job: {script: !reference [default, image], rules: [!reference [.rules, rules]]}`;
    const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, {}, []);
    expect(planned).toMatchObject({ jobs: [{ when: "manual", config: { script: ["alpine"] } }] });
  });

  test("in a text is text", () => {
    const text = 'job:\n  script:\n    - echo "!reference [.a, script]"\n    - |\n      !reference  [b]\n      x\n';
    expect(configOf(text)).toMatchObject({ script: ['echo "!reference [.a, script]"', "!reference  [b]\nx\n"] });
  });

  test.each([
    ["job: {script: !reference [.a, script]}", '!reference [".a", "script"] could not be found'],
    [".a: {x: y}\njob: {script: !reference [.a, script]}", '!reference [".a", "script"] could not be found'],
    ["job: {script: !reference [job, script]}", '!reference ["job", "script"] is part of a circular chain'],
    [
      ".a: {script: !reference [.b, script]}\n.b: {script: !reference [.a, script]}\njob: {script: !reference [.a, script]}",
      '!reference [".a", "script"] is part of a circular chain',
    ],
    ["job: {script: !reference []}", "!reference [] could not be found"],
    ["job: {script: !reference [{toString: x}]}", "!reference config should be a string"],
    ["!reference [a]", "Invalid configuration format"],
    [".a: !reference [.b]\n.b: {script: x}\njob: {extends: .a}", "job: unknown keys in `extends` (.a)"],
  ])("%p is refused", (text, message) => {
    expect(() => configOf(text)).toThrow(message);
  });

  test.each([
    "job: {script: !reference [.l7, script]}",
    "stages: !reference [.l7, script]\njob: {stage: x, script: x}",
    "workflow: {rules: !reference [.l7, script]}\njob: {script: x}",
  ])("of a list that refers to the one before it, many times each, is refused before it is written out: %s", (use) => {
    const lists = Array.from({ length: 7 }, (_, at) => {
      const before = `!reference [.l${at}, script]`;
      return `.l${at + 1}: {script: [${Array(9).fill(before).join(", ")}]}`;
    });
    const text = `.l0: {script: [x, x, x]}\n${lists.join("\n")}\n${use}`;
    expect(() => configOf(text)).toThrow("The parsed YAML is too big");
  });
});
