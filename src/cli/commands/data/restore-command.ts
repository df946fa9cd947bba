import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

const restoreExamples = `
The data folder and the folders of the storages must be empty or not exist. The
store appears only when every file is verified; the next restore discards an
interrupted one.

Exit code 0: restored. 3: the archive is damaged, and nothing was changed.

Examples:
  outpost restore outpost-2027-01-31T09-30-00Z.tar.gz
  outpost restore monday.tar.gz --data /srv/outpost
  outpost serve --restore monday.tar.gz --data /srv/outpost`;

export function addRestore(program: Command): void {
  const command = program.command("restore").description("create a store from an archive, in an empty folder");
  addSettings(command, {
    taken: [dataFolder("data folder to create; must be empty or not exist"), settings.repositoryStorages],
  })
    .usage("<file> [flags]")
    .argument("<file>", "archive that `outpost backup` wrote")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", restoreExamples)
    .action(async (file: string, flags: { json?: true }, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { restore } = await import("./restore.ts");
      await restore(file, config, flags.json === true);
    });
}
