import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

const importExamples = `
Imports everything or nothing: it reports file and line of anything invalid, and
creates no store then. You may change, add or remove lines first.

Exit code 0: imported. 3: the export is invalid.

Examples:
  outpost import ./exported --data ./new
  outpost import ./exported --data ./new --json`;

export function addImport(program: Command): void {
  const command = program.command("import").description("create a store from an export, in an empty folder");
  addSettings(command, {
    taken: [
      dataFolder("data folder to create; must be empty or not exist"),
      settings.repositoryStorages,
      settings.logLevel,
    ],
  })
    .usage("<folder> [flags]")
    .argument("<folder>", "folder that `outpost export` wrote")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", importExamples)
    .action(async (folder: string, flags: { json?: true }, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { importStore } = await import("./import.ts");
      await importStore(folder, config, flags.json === true);
    });
}
