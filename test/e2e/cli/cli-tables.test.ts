import { expect, test } from "bun:test";
import { join } from "node:path";
import { $ } from "bun";
import { executable, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const noScript = await installTool(["script", "--version"], "bsdutils");

test("columns stand below each other whatever the letters of a name", async () => {
  await using folder = await createTempFolder();
  const data = join(folder.path, "data");
  await (await startOutpost({ dataFolder: data })).stop();
  const account = ["--username", "kaze", "--email", "kaze@skylark.example", "--name", "風見鶏", "--data", data];
  expect((await runOutpost(["user", "create", ...account])).exitCode).toBe(0);
  const { stdout } = await runOutpost(["user", "list", "--data", data]);
  const places = stdout
    .trimEnd()
    .split("\n")
    .map((line) => Bun.stringWidth(line.slice(0, line.search(/\S+@/))));
  expect(places).toHaveLength(2);
  expect(places[0]).toBe(places[1] as number);
});

test.skipIf(noScript !== undefined)("the rule below a head is no wider than the terminal", async () => {
  const ruleOn = async (columns: number) => {
    const asked = `stty cols ${columns}; ${executable} config`;
    const text = await $`script --quiet --return --command ${asked} /dev/null < /dev/null`.text();
    return /─+/.exec(text)?.[0].length;
  };
  expect(await ruleOn(60)).toBe(60);
  expect(await ruleOn(400)).toBeWithin(80, 200);
});
