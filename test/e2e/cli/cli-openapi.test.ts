import { expect, test } from "bun:test";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { $ } from "bun";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("openapi prints the document that a server has, to stdout or into a file", async () => {
  await using folder = await createTempFolder();
  const { exitCode, stdout, stderr } = await runOutpost(["openapi"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  await using outpost = await startOutpost();
  const served = await fetch(`${outpost.origin}/-/openapi.json`);
  expect(JSON.parse(stdout)).toEqual(await served.json());

  const file = join(folder.path, "openapi.json");
  const written = await runOutpost(["openapi", "--out", file]);
  expect([written.exitCode, written.stdout, written.stderr]).toEqual([0, "", ""]);
  expect(await Bun.file(file).text()).toBe(stdout);
});

test("openapi --3.0 prints the document that a server has in OpenAPI 3.0", async () => {
  const { exitCode, stdout } = await runOutpost(["openapi", "--3.0"]);
  await using outpost = await startOutpost();
  const served = await fetch(`${outpost.origin}/-/openapi.json?version=3.0`);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, await served.json()]);
  expect(await new Validator().validate(JSON.parse(stdout))).toEqual({ valid: true });
});

test.each(["3.1", "3.0"])("a server below a path names it in its document of OpenAPI %s", async (version) => {
  await using outpost = await startOutpost({ args: ["--external-url", "http://127.0.0.1/sub/path"] });
  const [there, printed] = await Promise.all([
    fetch(`${outpost.origin}/-/openapi.json?version=${version}`),
    runOutpost(["openapi", ...(version === "3.0" ? ["--3.0"] : [])]),
  ]);
  expect(await there.json()).toEqual({ ...JSON.parse(printed.stdout), servers: [{ url: "/sub/path" }] });
});

test("a reader of openapi that stops early is no error", async () => {
  const { exitCode, stdout, stderr } = await $`bash -o pipefail -c ${`${executable} openapi | head -n 2`}`
    .nothrow()
    .quiet();
  expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([0, '{\n  "openapi": "3.1.0",\n', ""]);
});

test("openapi into a missing folder is an error", async () => {
  const { exitCode, stdout, stderr } = await runOutpost(["openapi", "--out", "/nowhere/openapi.json"]);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^outpost: cannot write \/nowhere\/openapi\.json: .*\ntry: outpost openapi --out FILE\n$/);
});
