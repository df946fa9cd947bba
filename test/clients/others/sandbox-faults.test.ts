import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";

const python = "/usr/bin/python3";
const missing = await installTool([python, "-c", "import gitlab"], "python3-gitlab");
const rootToken = "a-token-for-tests-0123456789";
let outpost: OutpostProcess;

beforeAll(async () => {
  const env = { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" };
  outpost = await startOutpost({ env, args: ["--sandbox"] });
});

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

const runScript = (runtime: string, name: string) =>
  runClientScript([runtime, join(import.meta.dir, name)], { HOST: outpost.origin, TOKEN: rootToken });

test.skipIf(missing !== undefined)(
  "python-gitlab retries errors of the server and cut answers, and a repeated change doubles nothing",
  async () => {
    expect(await runScript(python, "sandbox-faults.py")).toEqual({
      429: ["done", 1],
      500: ["done", 1],
      502: ["done", 1],
      503: ["done", 1],
      504: ["done", 1],
      404: [404, 1],
      drop: ["done", 1],
      late: ["done", 1],
      slow: ["done", 1],
      cut: ["done", 1],
      update: ["done", 1, "changed twice"],
      member: [409, 1, ["root", "kofi"]],
      label: [409, 1, ["bug"]],
      star: [304, 1, 1],
      delete: [404, 1, 0],
    });
  },
  60_000,
);

test("gitbeaker retries 429 and 502, and a change that it repeats doubles nothing", async () => {
  expect(await runScript("node", "sandbox-faults.mjs")).toEqual({
    429: ["done", 1],
    502: ["done", 1],
    503: [503, 1],
    drop: ["no answer", 1],
    late: ["done", 1],
    slow: ["done", 1],
    cut: ["no answer", 1],
    label: ["no answer", 1, 409],
    labels: ["bug"],
    delete: ["no answer", 1],
    deleteAgain: 404,
    update: ["no answer", 1],
    again: "accepted",
    description: "changed",
  });
}, 60_000);
