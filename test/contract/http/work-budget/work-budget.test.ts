import { describe, expect, test } from "bun:test";
import { requestStepsMax } from "../../../../src/domain/work-budget.ts";
import { type Operation, pathParameters } from "../../../../src/modules/kernel/operation.ts";
import { operations } from "../../../support/checks/operations.ts";
import { type Answer, type CallOptions, rootToken } from "../../../support/fixtures/world.ts";
import { allSamples, nameOf, sampleOf } from "../../matrix/samples.ts";
import { setScene } from "../../matrix/scene.ts";
import { extremesOf } from "./extremes.ts";
import { plant } from "./planted.ts";

const scene = await setScene();
const { world, places, boss } = scene;
const samples = allSamples(scene);
plant(world, places.public);
await world.call("POST", "/features/request_log_details", { token: rootToken, json: { value: true } });

/** With thousands of everything planted, the dearest request that is accepted takes no more than this. */
const stepsMax = requestStepsMax / 3;

/** Steps that a request took, as its line in the log tells. */
function stepsOf({ headers }: Answer): number {
  const id = headers.get("x-request-id") ?? "";
  const line = world.logged.findLast((each) => each.includes(id) && each.includes('"steps":'));
  return Number(/"steps":(\d+)/.exec(line ?? "")?.[1]);
}

async function send(operation: Operation, path: string, options: CallOptions) {
  const answer = await world.call(operation.method, path, { token: boss.token, ...options });
  const tooMuch = answer.status !== 200 && /too much work/.test(answer.text) ? answer.text : undefined;
  return { steps: stepsOf(answer), tooMuch };
}

function expectWithin(what: string, { steps, tooMuch }: Awaited<ReturnType<typeof send>>): void {
  expect({ what, steps, tooMuch, isWithin: steps <= stepsMax }).toEqual({
    what,
    steps,
    tooMuch: undefined,
    isWithin: true,
  });
}

const isCalled = (operation: Operation) => operation.http?.isReceiver !== true && operation.who !== "job";

describe("the work of every read stays within the budget of a request", () => {
  for (const operation of operations.filter((each) => each.method === "GET" && isCalled(each))) {
    test(nameOf(operation), async () => {
      const { path, options = {} } = await sampleOf(samples, operation).make(boss, places.public);
      const given = typeof options.query === "object" ? options.query : {};
      const ask = async (what: string, pairs: readonly (readonly [string, string])[]) => {
        const query = new URLSearchParams(
          Object.entries(given).map(([name, value]): [string, string] => [name, `${value}`]),
        );
        for (const [name, value] of pairs) query.append(name, value);
        expectWithin(what, await send(operation, path, { ...options, query: query.toString() }));
      };
      await ask("nothing", [["per_page", "100"]]);
      for (const [name, schema] of Object.entries(operation.params.properties)) {
        if (pathParameters(operation.path).includes(name)) continue;
        for (const { what, pairs } of extremesOf(name, schema, true)) await ask(`${name}: ${what}`, pairs);
      }
    });
  }
});

describe("the work of every write stays within the budget of a request", () => {
  const writes = operations.filter(({ method, body }) => method !== "GET" && method !== "DELETE" && body === undefined);
  for (const operation of writes.filter(isCalled)) {
    const names = pathParameters(operation.path);
    const given = Object.entries(operation.params.properties).filter(([name]) => !names.includes(name));
    if (given.length === 0) continue;
    test(nameOf(operation), async () => {
      for (const [name, schema] of given) {
        for (const { what, json } of extremesOf(name, schema, false)) {
          const { path, options = {} } = await sampleOf(samples, operation).make(boss, places.public);
          const { form, json: body, ...others } = options;
          const sent = typeof body === "object" ? body : form;
          const taken = await send(operation, path, { ...others, json: { ...sent, [name]: json } });
          expectWithin(`${name}: ${what}`, taken);
        }
      }
    });
  }
});
