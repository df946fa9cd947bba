import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-variables.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker sets the variables of a project, by scope", () => {
  expect(seen.made).toEqual(["K", "value_of_k", true, "prod/*"]);
  expect(seen.ambiguous.status).toBe(409);
  expect([seen.edited, seen.shown]).toEqual(["value_of_w", "value_of_w"]);
  expect([seen.all, seen.left]).toEqual([["value_of_w", "v"], ["v"]]);
});

test("gitbeaker sets the variables of a group and of the instance", () => {
  expect([seen.group, seen.groupAll, seen.groupGone]).toEqual(["2", ["G"], 404]);
  expect([seen.instance, seen.instanceAll, seen.instanceShown]).toEqual(["2", ["I"], "2"]);
});
