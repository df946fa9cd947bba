import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help import`. */
const importExamples = `
All of it or nothing: what does not fit is told with its file and line, and no
store is made. Lines may have been changed, added or taken out by hand.

Exit code 0: the store is there. 3: something in the export does not fit.

Examples:
  outpost import ./exported --data ./new
  outpost import ./exported --data ./new --json`;

export function addImport(program: Command): void {
  const verb = program.command("import").description("make a store from an export, in an empty folder");
  addSettings(verb, {
    taken: [
      dataFolder("folder that the store is made in; empty, or not there yet"),
      settings.repositoryStorages,
      settings.logLevel,
    ],
  })
    .usage("<folder> [flags]")
    .argument("<folder>", "what `outpost export` wrote")
    .option("--json", "tell about it in one JSON object")
    .addHelpText("after", importExamples)
    .action(async (folder: string, flags: { json?: true }, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { importStore } = await import("./import.ts");
      await importStore(folder, config, flags.json === true);
    });
}
