import { describe, expect, test } from "bun:test";
import { basename } from "node:path";
import { topics } from "../../../src/cli/output/topics.ts";
import { defaultOf, typedFlag, variableOf } from "../../../src/config/setting.ts";
import { allSettings } from "../../../src/config/settings.ts";
import { exitCodes } from "../../../src/domain/start-error.ts";
import { allHelpTexts } from "../../support/checks/help-texts.ts";
import { runOutpost } from "../../support/process/outpost-process.ts";
import { runOnTerminal } from "../../support/process/terminal.ts";

async function page(name: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runOutpost(["help", name]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

test("each file of the manual is a topic, and `outpost help` lists each topic in a line", async () => {
  const files = [...new Bun.Glob("**/*.md").scanSync(`${import.meta.dir}/../../../src/cli/manual`)];
  expect(topics.map(({ name }) => name).toSorted()).toEqual(files.map((file) => basename(file, ".md")).toSorted());
  const { stdout } = await runOutpost(["help"]);
  for (const { name, summary } of topics) expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary}$`, "m"));
});

test("no topic has the name of a command, which would hide it", async () => {
  const commands = (await allHelpTexts()).map(({ command }) => command);
  expect(topics.filter(({ name }) => commands.includes(name) || name === "help")).toEqual([]);
});

describe("the manual has", () => {
  test("each setting, with its flag, its variable and its default", async () => {
    const text = await page("settings");
    for (const setting of allSettings) {
      const fallback = defaultOf(setting);
      const [, paragraph = ""] =
        new RegExp(`^\`(?:-\\w, )?${typedFlag(setting)}(?: <.*>)?\`\\n((?: {4}.*\\n)+)`, "m").exec(text) ?? [];
      expect(paragraph).toContain(`    Variable: ${variableOf(setting)}\n`);
      if (fallback !== undefined) expect(paragraph).toContain(`    Default: ${fallback}\n`);
    }
  });

  test("each exit code, once", async () => {
    const text = await page("exit-codes");
    const codes = [...text.matchAll(/^- `(\d)`: \S/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual([0, ...Object.values(exitCodes)]);
  });

  test("each command, those below others included", async () => {
    const text = await page("commands");
    const listed = [...text.matchAll(/^- `([a-z -]+)`: \S/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining((await allHelpTexts()).map(({ command }) => command)));
  });
});

describe.each(topics.map(({ name }) => [name]))("the topic %s", (name) => {
  test("is plain text on a pipe, without signs of Markdown", async () => {
    const text = await page(name);
    expect(text).toMatch(/^[A-Z][A-Z ]+\n\n/);
    expect(text).not.toMatch(/^```|^#|\*\*|<!--/m);
    expect(text).not.toContain("\x1b");
    expect(text.split("\n").filter((line) => line.length > 80 && !line.startsWith("    "))).toEqual([]);
  });
});

test("a topic is coloured on a terminal, unless NO_COLOR is set", async () => {
  expect(await runOnTerminal(["help", "https"])).toContain("\x1b[1mHTTPS AND SOCKET FILES\x1b[0m");
  expect(await runOnTerminal(["help", "https"], { NO_COLOR: "1" })).not.toContain("\x1b[1m");
});

test("an unknown topic is refused, with the list of topics", async () => {
  expect(await runOutpost(["help", "prxy"])).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: "outpost: unknown command 'prxy'\ntry: outpost help\n",
  });
});
