import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import type { CommandResult } from "../../command.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help check`. */
const checkExamples = `
Exit code 0: sound, or repaired. Exit code 3: damaged.

Examples:
  outpost check
  outpost check --data /srv/outpost --repair`;

export function addCheck(program: Command, outcome: CommandResult): void {
  addSettings(program.command("check").description("look for damage in a stopped store"), {
    taken: [dataFolder("data folder to check")],
  })
    .option("--repair", "set damaged parts aside, keep what can be read, and print what was done")
    .option("--json", "print the findings as one JSON object")
    .addHelpText("after", checkExamples)
    .action(async (flags: { data?: string; repair?: boolean; json?: boolean }, command: Command) => {
      const { dataFolder } = resolveConfig(sourcesOf(command));
      const { check } = await import("./check.ts");
      outcome.exitCode = await check({ folder: dataFolder, repair: flags.repair === true, json: flags.json === true });
    });
}
