import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

/** Runs a command, and parses its stdout, which has to be one JSON value. */
async function jsonOf(...words: string[]): Promise<unknown> {
  const { exitCode, stdout } = await runOutpost([...words, "--json"]);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

async function textOf(...words: string[]): Promise<string> {
  return (await runOutpost(words)).stdout;
}

test("a Containerfile and a completion are the texts of an object", async () => {
  expect(await jsonOf("containerfile")).toEqual({ containerfile: await textOf("containerfile") });
  expect(await jsonOf("completion", "bash")).toEqual({ shell: "bash", script: await textOf("completion", "bash") });
});

test("a unit stands beside the file that it was written to, if any", async () => {
  await using folder = await createTempFolder();
  const service = ["install-service", "--executable", "/usr/local/bin/outpost"];
  const unit = await textOf(...service);
  const file = join(folder.path, "outpost.service");
  expect(await jsonOf(...service)).toEqual({ unit, file: null });
  expect(existsSync(file)).toBe(false);
  expect(await jsonOf(...service, "--write", file)).toEqual({ unit, file });
  expect(await Bun.file(file).text()).toBe(unit);
});

test("output that is JSON by default is the same with --json", async () => {
  expect(await jsonOf("openapi")).toEqual(JSON.parse(await textOf("openapi")));
  expect(await jsonOf("dashboard")).toEqual(JSON.parse(await textOf("dashboard")));
});

test("audit events are a JSON object on each line, and CSV is not available with --json", async () => {
  await using folder = await createTempFolder();
  const data = ["--data", join(folder.path, "data")];
  expect((await runOutpost(["seed", ...data])).exitCode).toBe(0);
  const { exitCode, stdout } = await runOutpost(["audit-events", "export", ...data, "--json"]);
  expect(exitCode).toBe(0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.length).toBeGreaterThan(100);
  expect(events[0]).toHaveProperty("event_name");
  const both = await runOutpost(["audit-events", "export", ...data, "--json", "--format", "csv"]);
  expect(both).toMatchObject({ exitCode: 2, stdout: "" });
});
