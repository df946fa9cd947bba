import { expect, test } from "bun:test";
import { areas } from "../../../src/cli/selftest/areas/index.ts";
import { operationOf } from "../../../src/cli/selftest/runner.ts";
import { sampledAreas, samples } from "../../../src/cli/selftest/samples.ts";
import { Reference, Scenario, type Step } from "../../../src/cli/selftest/scenario.ts";
import { setup } from "../../../src/cli/selftest/setup.ts";
import { stepsIn } from "../../../src/cli/selftest/values.ts";
import { type Operation, pathParameters } from "../../../src/modules/kernel/operation.ts";
import { sampleNameOf } from "../../../src/modules/kernel/sample-maker.ts";
import { operations } from "../../../src/modules/operations.ts";

const succeeds = ({ options: { status = 200 } }: Step) => status < 300;
const all = [setup, ...areas];
const steps = all.flatMap((area) => area.steps);
const called = [
  ...steps,
  ...all.flatMap(({ undos }) => undos.flatMap(({ by, gone }) => [by, ...(gone ? [gone] : [])])),
];

test("every operation is called by a scenario or with its sample, or its module says why not", () => {
  const called = new Set<string>(steps.filter(succeeds).map(({ call }) => call));
  for (const names of sampledAreas.values()) for (const name of names) called.add(name);
  const missing = operations.filter((operation) => !called.has(sampleNameOf(operation)));
  const isExcused = (operation: Operation) =>
    operation.http?.partOf === "console" || samples.get(sampleNameOf(operation))?.unsuited !== undefined;
  expect(missing.filter((operation) => !isExcused(operation)).map(sampleNameOf)).toEqual([]);
  expect(called.size).toBeGreaterThan(400);
});

test("every step calls an operation, and gives all values of its path", () => {
  const incomplete = called.filter((step) => {
    const { path } = operationOf(step);
    const values = step.path;
    return !(values instanceof Reference) && pathParameters(path).some((name) => !(name in values));
  });
  expect(called.length).toBeGreaterThan(350);
  expect(incomplete.map(({ call }) => call)).toEqual([]);
});

test("a wrong parameter of a path is an error of the compiler", () => {
  const scenario = new Scenario();
  // @ts-expect-error: the path has no parameter of this name
  scenario.call("GET /groups/:id", { group_id: 1 });
  // @ts-expect-error: the path has a second parameter
  scenario.call("GET /groups/:id/labels/:label_id", { id: 1 });
  expect(scenario.steps).toHaveLength(2);
});

test("each area has a name of its own", () => {
  const names = areas.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

test("a step refers to earlier steps of its area or of the setup only, so that each area runs alone", () => {
  for (const area of all) {
    const known = new Set<Step>(area === setup ? [] : setup.steps);
    for (const step of area.steps) {
      const unknown = stepsIn([step.path, step.options]).filter((each) => !known.has(each));
      expect({ call: step.call, unknown: unknown.map(({ call }) => call) }).toEqual({ call: step.call, unknown: [] });
      known.add(step);
    }
  }
});
