import { expect, test } from "bun:test";
import { areas } from "../../../src/cli/selftest/areas/index.ts";
import { operationOf } from "../../../src/cli/selftest/runner.ts";
import { Reference, Scenario, type Step } from "../../../src/cli/selftest/scenario.ts";
import { setup } from "../../../src/cli/selftest/setup.ts";
import { stepsIn } from "../../../src/cli/selftest/values.ts";
import { pathParameters } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../../src/modules/operations.ts";

const all = [setup, ...areas];
const steps = all.flatMap((area) => area.steps);
const called = [
  ...steps,
  ...all.flatMap(({ undos }) => undos.flatMap(({ by, gone }) => [by, ...(gone ? [gone] : [])])),
];

/** Operations that no step calls with success. */
const exceptions: Readonly<Record<string, string>> = {
  "POST /users/:id/approve": "no call makes a user who waits for approval",
  "POST /users/:id/reject": "no call makes a user who waits for approval",
  "PATCH /users/:id/disable_two_factor": "no call turns two-factor authentication on",
  "POST /features/definitions": "sets a flag of the whole instance, whose name cannot be chosen",
  "DELETE /features/definitions": "deletes a flag of the whole instance, whose name cannot be chosen",
  "POST /runners/reset_registration_token": "changes the token of the whole instance",
  "POST /project_repository_storage_moves": "moves all projects of the instance",
  "POST /snippet_repository_storage_moves": "moves all snippets of the instance",
  "POST /group_repository_storage_moves": "moves all groups of the instance",
  "POST /-/session": "the console can be switched off",
  "GET /-/session": "the console can be switched off",
  "DELETE /-/session": "the console can be switched off",
  "GET /-/sessions": "the console can be switched off",
  "DELETE /-/sessions/:id": "the console can be switched off",
  "POST /-/repository-imports": "it needs a repository that a command has staged",
  "POST /-/sign-in-codes": "the console can be switched off",
  "PUT /-/account": "the console can be switched off",
  "PUT /-/account/password": "the console can be switched off",
  "POST /-/account/tokens": "the console can be switched off",
  "POST /-/account/password-resets": "the console can be switched off",
  "PUT /-/account/password-resets": "the console can be switched off",
  "POST /-/account/confirmations": "the console can be switched off",
  "GET /-/console": "the console can be switched off",
  "GET /-/console/*page": "the console can be switched off",
  "GET /-/console/assets/:file": "the console can be switched off",
  "GET /-/console/events": "the console can be switched off",
  "GET /-/api/:file": "the names of the files are those of one build",
  "POST /-/outbox/:id/resend": "sends a mail",
  "POST /-/jobs/:id/retry": "no call makes a job that fails",
  "DELETE /-/jobs/:id": "no call makes a job that fails",
  "POST /-/backup": "copies the whole store",
  "GET /-/backups": "needs a folder for backups",
  "POST /-/backups": "copies the whole store",
  "GET /-/backups/:name": "needs a backup",
  "POST /-/backups/:name/verify": "needs a backup",
  "DELETE /-/backups/:name": "needs a backup",
  "POST /-/sandbox/reset": "undoes what others did",
  "POST /-/sandbox/checkpoints/:name/restore": "undoes what others did meanwhile",
  "DELETE /-/sandbox/faults": "deletes the rules of others",
  "DELETE /-/sandbox/requests": "forgets the requests of others",
};

const succeeds = ({ options: { status = 200 } }: Step) => status < 300;

test("every operation is called with success, or is a known exception", () => {
  const covered = new Set(steps.filter(succeeds).map(({ call }) => call));
  const missing = operations.map(({ method, path }) => `${method} ${path}`).filter((call) => !covered.has(call));
  expect(missing.toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

test("every step calls an operation, and gives all values of its path", () => {
  const incomplete = called.filter((step) => {
    const { path } = operationOf(step);
    const values = step.path;
    return !(values instanceof Reference) && pathParameters(path).some((name) => !(name in values));
  });
  expect(called.length).toBeGreaterThan(500);
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
