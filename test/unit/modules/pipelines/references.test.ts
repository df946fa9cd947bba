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
    '- !reference\n    - ".a"\n    - - script',
    "- !reference[.a, script]",
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
    "job: {script: !reference .a}",
    "job: {script: !reference {a: b}}",
    "job: {script: x, tags: !reference}",
    "job:\n  script: !reference\n    .a\n",
    "job:\n  script: !reference |\n    - .a\n",
    "job:\n  script: !reference - .a",
    "job:\n  script: !reference '- .a'",
    "job: {script: !reference !reference [.a]}",
    "a: &a [.b, script]\njob: {script: !reference *a}",
  ])("is a list: %j", (text) => {
    expect(() => configOf(text)).toThrow("!reference config should be an array");
  });

  test("makes no other list a reference, with any characters in the file", () => {
    const text = `job: {script: ["\u{E000}", "\u001f", '\u0002', "[", x], tags: [!reference [.a, tags]]}\n.a: {tags: [t]}`;
    expect(configOf(text)).toMatchObject({ script: ["\u{E000}", "\u001f", "\u0002", "[", "x"] });
  });

  test("costs what a file of 128 KiB takes", () => {
    const text = (length: number) => `job: {script: !reference [.a, script]}\n.a: {script: x}\n#`.padEnd(length, "x");
    expect(configOf(text(128 * 1024))).toMatchObject({ script: ["x"] });
    expect(() => configOf(text(128 * 1024 + 1))).toThrow("A file with !reference is too long");
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
