import type { Config } from "../../../config/config.ts";
import { StartError } from "../../../domain/start-error.ts";
import { createServerContext } from "../../../server/bootstrap.ts";
import { pendingMigrations, readManifest, storeFormat, systemDisk } from "../../../store/index.ts";
import { createLog } from "../../log/logger.ts";
import { printJson, printTable } from "../../output/table.ts";
import { printMessage } from "../../output/terminal.ts";

export interface MigrateFlags {
  readonly config: Config;
  /** Nothing is changed. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * Tells which steps lead a store from its format to that of this version, and takes them unless it is a dry run. Throws
 * `StartError` for a folder without a store, for a newer format, and, before a step is taken, for a folder that is in use.
 */
export async function migrate({ config, dryRun, json }: MigrateFlags): Promise<void> {
  const folder = config.dataFolder;
  const manifest = readManifest(systemDisk, { folder });
  if (manifest === undefined) throw new StartError(`${folder} holds no store`, "outpost migrate --data DIR");
  const steps = pendingMigrations(manifest.format);
  const isMigrated = steps.length > 0 && !dryRun;
  if (isMigrated) await takeSteps(config);
  if (json) {
    await printJson({
      ...{ data_folder: folder, format: manifest.format, format_of_this_version: storeFormat, migrated: isMigrated },
      steps: steps.map(({ to, description }) => ({ to, description })),
    });
    return;
  }
  if (steps.length > 0)
    await printTable(
      ["to", "what changes"],
      steps.map((step) => [`${step.to}`, step.description]),
    );
  printMessage(summary(folder, manifest.format, steps.length, isMigrated, config.backupFolder));
}

function summary(folder: string, format: number, steps: number, isMigrated: boolean, backups: string): string {
  if (steps === 0) return `${folder} has format ${format}: nothing to migrate`;
  if (isMigrated)
    return `${folder} is migrated from format ${format} to ${storeFormat}; the backup of the old store is in ${backups}`;
  return `${folder} has format ${format}: a start changes it to ${storeFormat}, after a backup into ${backups}`;
}

/** As a start does it, without a server. */
async function takeSteps(config: Config): Promise<void> {
  const { context } = await createServerContext(config, createLog(config));
  await context.store.close();
}
