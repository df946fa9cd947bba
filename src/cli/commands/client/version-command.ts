import type { Command } from "commander";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";
import { versionFacts, versionLine } from "./version.ts";

const versionExamples = `
Examples:
  outpost version
  outpost version --json`;

export function addVersion(program: Command): void {
  program
    .command("version")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print the version")
    .option("--json", "print one JSON object")
    .addHelpText("after", versionExamples)
    .action(async ({ json }: { json?: true }) => {
      await (json === true ? printJson(versionFacts()) : print(`${versionLine()}\n`));
    });
}
