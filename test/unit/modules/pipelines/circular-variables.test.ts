import { describe, expect, test } from "bun:test";
import { planJobs } from "../../../../src/modules/ci/pipelines/creation/plan.ts";

type Given = Parameters<typeof planJobs>[3];
const plan = (text: string, given: Given = []) => planJobs(text, { ref: "main", tag: false, source: "api" }, {}, given);
const variable = (key: string, value: string, raw?: true): Given[number] => ({
  ...{ variable_type: "env_var", key, value },
  ...(raw === undefined ? {} : { raw }),
});

describe("variables that name each other refuse the job that has them", () => {
  test.each([
    ['variables: {A: "$B", B: "$A"}\na: {script: x}', '["A", "B"]'],
    [`a: {script: x, variables: {A: "x$B", B: "\${C}", C: "%A%"}}`, '["A", "B", "C"]'],
    ['variables: {A: "$B"}\na: {script: x, variables: {B: "$A"}}', '["A", "B"]'],
    ['a: {script: x, variables: {A: "$B", B: "$A", C: "$D", D: "$A$C"}}', '["A", "B"], ["C", "D"]'],
    ['variables: {A: x}\na: {script: x, rules: [{if: $NONE, variables: {A: "$B", B: "$A"}}]}', undefined],
    ['variables: {A: x}\na: {script: x, rules: [{if: $A, variables: {A: "$B", B: "$A"}}]}', '["A", "B"]'],
  ])("%s", (text, list) => {
    if (list === undefined) expect(plan(text)).toMatchObject({ jobs: [] });
    else expect(() => plan(text)).toThrow(`a: circular variable reference detected: ${list}`);
  });

  test("those of a request count, beside the ones of the file that they replace", () => {
    const text = 'variables: {A: "$B", B: x}\na: {script: x}';
    expect(() => plan(text, [variable("B", "$A")])).toThrow('a: circular variable reference detected: ["A", "B"]');
    expect(plan(text, [variable("B", "$A", true)])).toMatchObject({ jobs: [{ name: "a" }] });
  });
});

test.each([
  ["that name themselves", 'a: {script: x, variables: {PATH: "$PATH:bin"}}'],
  ["that are raw", 'a: {script: x, variables: {A: {value: "$B", expand: false}, B: "$A"}}'],
  ["that a job replaces", 'variables: {A: "$B", B: "$A"}\na: {script: x, variables: {A: y}}'],
  ["that a job does not inherit", 'variables: {A: "$B", B: "$A"}\na: {script: x, inherit: {variables: [A]}}'],
  [
    "of a job that is left out",
    'a: {script: x}\nb: {script: x, variables: {A: "$B", B: "$A"}, rules: [{when: never}]}',
  ],
  ["with doubled signs", 'a: {script: x, variables: {A: "$$B", B: "%%A%%"}}'],
  [
    "in a long chain",
    `variables: {${Array.from({ length: 5_000 }, (_, at) => `V${at}: "$V${at + 1}"`).join(", ")}}\na: {script: x}`,
  ],
])("variables %s are accepted", (_, text) => {
  expect(plan(text)).toMatchObject({ jobs: [{ name: "a" }] });
});
