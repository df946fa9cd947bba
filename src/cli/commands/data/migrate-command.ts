import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { settings } from "../../../config/settings.ts";
import { addSettings, dataFolder, sourcesOf } from "../../command-settings.ts";

/** The end of `outpost help migrate`. */
const migrateExamples = `
Every start does the same automatically, after a backup. Outpost refuses a store
of a newer version and does not change it.

Examples:
  outpost migrate --dry-run
  outpost migrate --data /srv/outpost --backup-folder /mnt/backups`;

export function addMigrate(program: Command): void {
  const command = program.command("migrate").description("convert a stopped store to the format of this version");
  addSettings(command, {
    taken: [
      dataFolder("data folder to migrate"),
      settings.repositoryStorages,
      settings.backupFolder,
      settings.logLevel,
    ],
  })
    .option("--dry-run", "only print what a start would change")
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", migrateExamples)
    .action(async (flags: { dryRun?: true; json?: true }, command: Command) => {
      const config = resolveConfig(sourcesOf(command));
      const { migrate } = await import("./migrate.ts");
      await migrate({ config, dryRun: flags.dryRun === true, json: flags.json === true });
    });
}
