import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { useOlderCompiler } from "../support/checks/older-compiler.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";
const root = join(import.meta.dir, "../..");
const folder = join(import.meta.dir, "generated");
/** Ignored by git. */
const out = join(folder, "out");

let outpost: OutpostProcess;

beforeAll(async () => {
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  const document = join(out, "openapi.json");
  await runOutpost(["openapi", "--out", document]);
  useOlderCompiler();
  const { astToString, default: typesOf } = await import("openapi-typescript");
  await Bun.write(join(out, "openapi-typescript.ts"), astToString(await typesOf(await Bun.file(document).text())));
  const { createClient } = await import("@hey-api/openapi-ts");
  await createClient({
    input: document,
    output: join(out, "hey-api"),
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken } });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("what clients are generated from the OpenAPI document compiles, with the calls that use it", async () => {
  const { stdout, exitCode } = await Bun.$`node_modules/.bin/tsc -p ${folder}`.cwd(root).nothrow().quiet();
  expect({ exitCode, text: stdout.toString() }).toEqual({ exitCode: 0, text: "" });
});

const seen = {
  version: expect.stringMatching(/^\d+\.\d+\.\d+-ee$/),
  username: "root",
  ids: [true, true],
  label: "bug",
  states: ["opened", "closed"],
  titles: ["First"],
};

test("ten calls of a client that @hey-api/openapi-ts generates", async () => {
  const { callWithHeyApi } = await import(join(folder, "hey-api.ts"));
  expect(await callWithHeyApi(outpost.origin, rootToken)).toEqual(seen);
});

test("ten calls of openapi-fetch, with the types of openapi-typescript", async () => {
  const { callWithOpenapiFetch } = await import(join(folder, "openapi-fetch.ts"));
  expect(await callWithOpenapiFetch(outpost.origin, rootToken)).toEqual(seen);
});
