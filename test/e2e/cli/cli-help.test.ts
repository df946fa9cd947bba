import { describe, expect, test } from "bun:test";
import { $ } from "bun";
import { allHelpTexts } from "../../support/checks/help-texts.ts";
import { executable, runOutpost } from "../../support/process/outpost-process.ts";
import { installTool } from "../../support/process/system-tool.ts";

const helpTexts = await allHelpTexts();
const noScript = await installTool(["script", "--version"], "bsdutils");

/** Addresses in the defaults of settings, which the text needs. */
const addressesOfSettings = /https?:\/\/\S+\]$/;

test("without arguments, the first screen fits 24 lines of 80 columns, with three examples", async () => {
  const { exitCode, stdout, stderr } = await runOutpost([]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/\nExamples:\n( {2}outpost .*\n){3}\n/);
  expect(stdout).toMatchSnapshot();
});

test("the first screen names every command, and `outpost help` says what each does", async () => {
  const [{ stdout: screen }, { stdout: list }] = await Promise.all([runOutpost([]), runOutpost(["help"])]);
  for (const { command } of helpTexts.filter((each) => !each.command.includes(" "))) {
    expect(screen).toMatch(new RegExp(`^ {2}\\w+ .*\\b${command}\\b`, "m"));
    expect(list).toMatch(new RegExp(`^ {2}${command} +\\S`, "m"));
  }
  expect(list).toMatchSnapshot();
});

describe("the help", () => {
  test.each(helpTexts.map(({ command, text }) => [command, text]))(
    "of %s stays as it is, with examples of its own",
    (command, text) => {
      expect(text).toMatchSnapshot();
      expect(text).toMatch(new RegExp(`\\nExamples?:\\n(.*\\n)*.*outpost ${command}\\b`));
      const tooWide = text.slice(0, text.indexOf("\nExamples")).split("\n");
      expect(tooWide.filter((line) => line.length > 80 && !addressesOfSettings.test(line))).toEqual([]);
    },
  );

  test("is the same by help and by --help", async () => {
    for (const command of ["serve", "token create"]) {
      const { exitCode, stdout } = await runOutpost(["help", ...command.split(" ")]);
      expect([exitCode, stdout]).toEqual([0, helpTexts.find((each) => each.command === command)?.text ?? ""]);
    }
  });

  test.skipIf(noScript !== undefined)(
    "is wrapped to a narrow terminal, and to a maximal width on a wide one",
    async () => {
      const widest = async (columns: number, command: string) => {
        const asked = `stty cols ${columns}; ${executable} help ${command}`;
        const text = await $`script --quiet --return --command ${asked} /dev/null < /dev/null`.text();
        const [, flags = ""] = /\nFlags:\n(.*?)\n\n/s.exec(text.replaceAll("\r", "")) ?? [];
        return Math.max(...flags.split("\n").map((line) => line.length));
      };
      expect(await widest(60, "token create")).toBeLessThanOrEqual(60);
      expect(await widest(100, "token create")).toBeLessThanOrEqual(100);
    },
  );
});
