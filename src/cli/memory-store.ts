import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { exitCodes, StartError } from "../domain/start-error.ts";
import { platform } from "../lib/platform/index.ts";

const prefix = "outpost-memory-";
/** A younger folder may belong to a process that has not locked it yet. */
const leftoverAgeMs = 60_000;

/**
 * Calls `work` with the data folder in memory if the settings say so, and removes that folder afterwards. Throws `StartError`
 * where the system has no folder in memory.
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
    // What goes with the data folder by default goes with this one.
    const isChosen = config.origins["backup-folder"] !== undefined;
    await work({ ...config, dataFolder, backupFolder: isChosen ? config.backupFolder : join(dataFolder, "backups") });
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

const lockOf = (folder: string) => join(folder, "lock");

/** Removes the folders of processes that were killed. Those of other users stay. */
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
