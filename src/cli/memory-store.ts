import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { platform } from "../lib/platform/index.ts";

const prefix = "outpost-memory-";
/** Younger folders may belong to a process that has not locked them yet. */
const leftoverAgeMs = 60_000;

/**
 * Calls `work` with a data folder in memory if the settings say so, and removes the folder afterwards. Throws `StartError`
 * when the system has no folder in memory.
 */
export async function withMemoryStore(config: Config, work: (config: Config) => Promise<void>): Promise<void> {
  if (!config.memory) return work(config);
  const { memoryFolder } = platform;
  if (memoryFolder === undefined) {
    throw new StartError("--memory needs Linux: this system has no folder in memory", "outpost serve --sandbox", {
      exitCode: exitCodes.usage,
    });
  }
  await removeLeftovers(memoryFolder);
  const folder = await mkdtemp(join(memoryFolder, prefix));
  const lock = platform.lockFile(lockOf(folder));
  try {
    const dataFolder = join(folder, "data");
    await mkdir(dataFolder, { mode: 0o700 });
    // Defaults below the data folder move to the folder in memory.
    const isChosen = config.origins["backup-folder"] !== undefined;
    await work({ ...config, dataFolder, backupFolder: isChosen ? config.backupFolder : join(dataFolder, "backups") });
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

const lockOf = (folder: string) => join(folder, "lock");

/** Removes the folders of killed processes of this user. */
async function removeLeftovers(memoryFolder: string): Promise<void> {
  for (const name of await readdir(memoryFolder)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(memoryFolder, name);
    const { mtimeMs, uid } = await stat(folder);
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < leftoverAgeMs) continue;
    const lock = platform.lockFile(lockOf(folder));
    if (lock === undefined) continue;
    await rm(folder, { recursive: true, force: true });
    lock.release();
  }
}
