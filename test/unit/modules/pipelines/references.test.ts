import { describe, expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/ci/pipelines/creation/plan.ts";

function configOf(text: string) {
  const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, {}, []);
  if (planned === "filtered") throw new Error("filtered");
  return planned.jobs[0]?.config;
}

describe("!reference", () => {
  test("is replaced by a part of another job, in lists too, with what that extends", () => {
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

  test("reads rules and top-level keys of the file", () => {
    const text = `
default: {image: alpine}
.rules: {rules: [{if: '$NO'}, {when: manual}]}
job: {script: !reference [default, image], rules: [!reference [.rules, rules]]}`;
    const planned = planJobs(text, { ref: "main", tag: false, source: "push" }, {}, []);
    expect(planned).toMatchObject({ jobs: [{ when: "manual", config: { script: ["alpine"] } }] });
  });

  test.each([
    "- !reference [.a, script]",
    "- !reference\n    - .a\n    - script",
    "- !reference\n      [.a, script]",
    "- !reference # of a\n\n    # job\n    - .a # a\n    - script",
    "- !reference [.a,\n      script]",
    "- &x !reference\n    - .a\n    - script",
    "- !reference &x\r\n      - .a\r\n      - script",
    '- !reference\n    - ".a"\n    - "script"',
  ])("may be written as the language writes lists: %j", (reference) => {
    const text = `.a: {script: [one, two]}\njob:\n  script:\n  ${reference}\n  - three\n`;
    expect(configOf(text)).toMatchObject({ script: ["one", "two", "three"] });
  });

  test("may be the value of a keyword, with dashes below it", () => {
    const text =
      ".a: {script: [one]}\njob:\n  script: !reference\n  - .a\n  - script\n  tags: !reference\n    - .b\n    - tags\n";
    expect(configOf(`.b: {tags: [t]}\n${text}`)).toMatchObject({ script: ["one"] });
  });

  test.each([
    ["job: {script: !reference .a}", '!reference ".a" is not valid'],
    ["job: {script: !reference 1}", '!reference "1" is not valid'],
    ["job: {script: !reference {a: b}}", '!reference {"a"=>"b"} is not valid'],
    ["job: {script: x, tags: !reference , needs: []}", "!reference [] is not valid"],
    ["job: {script: !reference []}", "!reference [] is not valid"],
    ["job: {script: !reference [1]}", "!reference [1] is not valid"],
    ["job: {script: !reference [.a, [script]]}", '!reference [".a", ["script"]] is not valid'],
    ["job: {script: !reference '- .a'}", '!reference "- .a" is not valid'],
    [".unused: {script: !reference .a}\njob: {script: x}", '!reference ".a" is not valid'],
  ])("is a list of texts: %j", (text, message) => {
    expect(() => configOf(text)).toThrow(message);
  });

  test("may lead to another one, as often as it likes", () => {
    const chain = Array.from({ length: 50 }, (_, at) => `.r${at + 1}: {script: !reference [.r${at}, script]}`);
    const text = [".r0: {script: [x]}", ...chain, "job: {script: !reference [.r50, script]}"].join("\n");
    expect(configOf(text)).toMatchObject({ script: ["x"] });
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
      '!reference [".b", "script"] is part of a circular chain',
    ],
    [".a: {script: null}\njob: {script: !reference [.a, script]}", '!reference [".a", "script"] could not be found'],
    [".a: [x]\njob: {script: !reference [.a, script]}", '!reference [".a", "script"] could not be found'],
    [".a: !reference [.b]\n.b: {c: x}\njob: {script: !reference [.a, c]}", '!reference [".a", "c"] could not be found'],
    ["job: {script: x}\n.unused: !reference [.no]", '!reference [".no"] could not be found'],
    ["!reference [a]", "Invalid configuration format"],
    [".a: !reference [.b]\n.b: {script: x}\njob: {extends: .a}", "job: invalid base hashes in `extends` (.a)"],
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
