import { expect, test } from "bun:test";
import { join } from "node:path";
import { apiTypesFile, renderApiTypes } from "../../../src/console/build/api-types.ts";
import { bundleConsole } from "../../../src/console/build/bundle.ts";
import { encoded } from "../../../src/console/coded-file.ts";

const root = join(import.meta.dir, "../../..");
const compressedBytesMax = 200_000;

test("the console fits the types of the API that the table of operations has", async () => {
  await Bun.write(apiTypesFile, await renderApiTypes());
  const { stdout, exitCode } = await Bun.$`node_modules/.bin/tsc --noEmit -p src/console/app`
    .cwd(root)
    .nothrow()
    .quiet();
  expect({ exitCode, text: stdout.toString() }).toEqual({ exitCode: 0, text: "" });
}, 120_000);

test("scripts and styles are small, name no other host, and there is one of each that the document names", async () => {
  const files = await bundleConsole();
  expect(
    files
      .filter(({ role }) => role !== "part")
      .map(({ role }) => role)
      .sort(),
  ).toEqual(["icon", "script", "style"]);
  expect(files.reduce((sum, { bytes }) => sum + encoded(bytes, 5).gzip.byteLength, 0)).toBeLessThan(compressedBytesMax);
  const hosts = files.flatMap(({ bytes }) => new TextDecoder().decode(bytes).match(/https?:\/\/[\w.-]+/g) ?? []);
  // Names of XML, which nobody asks for.
  expect([...new Set(hosts)].filter((host) => host !== "http://www.w3.org")).toEqual([]);
}, 60_000);
