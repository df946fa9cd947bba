import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help restore`. */
const restoreExamples = `
The folder must be empty or not there, and so must those of the storages. Every
file is proven by its hash before the store is there; one that is cut off leaves
none, and the next restore begins anew.

Exit code 0: restored. 3: the archive is damaged, and nothing was changed.

Examples:
  outpost restore outpost-2027-01-31T09-30-00Z.tar.gz
  outpost restore monday.tar.gz --data /srv/outpost
  outpost serve --restore monday.tar.gz --data /srv/outpost`;

export function addRestore(program: Command): void {
  const verb = program.command("restore").description("make a store from an archive, in an empty folder");
  addSettings(verb, {
    taken: [dataFolder("folder that the store is made in; empty, or not there yet"), settings.repositoryStorages],
  })
    .usage("<file> [flags]")
    .argument("<file>", "an archive that `outpost backup` wrote")
    .option("--json", "tell about it in one JSON object")
    .addHelpText("after", restoreExamples)
    .action(async (file: string, flags: { json?: true }, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { restore } = await import("./restore.ts");
      await restore(file, config, flags.json === true);
    });
}
