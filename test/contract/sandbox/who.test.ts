import { expect, test } from "bun:test";
import { operations } from "../../../src/modules/operations.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const sandbox = await startWorld({ sandbox: true });
const ordinary = await startWorld();
const operationsOfSandbox = operations.filter(
  ({ path, http }) => path.startsWith("/-/sandbox") || http?.partOf === "sandbox",
);

test("every operation of a sandbox is known there only, and for administrators", () => {
  expect(operationsOfSandbox.length).toBeGreaterThan(5);
  for (const { http, who } of operationsOfSandbox)
    expect([http?.partOf, who]).toEqual(["sandbox", "administrator_first"]);
});

for (const { method, path } of operationsOfSandbox) {
  const address = path.replace(/:[a-z_]+/g, "1");

  test(`${method} ${path} refuses all but administrators, and an ordinary server does not know it`, async () => {
    const person = await sandbox.user();
    const reader = await sandbox.token(1, { scopes: ["read_user"] });
    const statuses = [];
    for (const token of [undefined, person.token, reader.token]) {
      // The parameters are wrong, and of no matter to those who may not call.
      const json = method === "GET" ? {} : { json: { effect: "nothing", seconds: "soon", content: 1 } };
      const { status } = await sandbox.call(method, address, { ...json, ...(token === undefined ? {} : { token }) });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 403, 403]);
    for (const token of [undefined, rootToken]) {
      const { status } = await ordinary.call(method, address, token === undefined ? {} : { token });
      expect(status).toBe(404);
    }
  });
}
