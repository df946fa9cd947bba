import { chmod, copyFile, open, rename, rm, stat } from "node:fs/promises";
import { platform } from "../lib/platform/index.ts";
import { codeOf, exists, syncFolder } from "./durable.ts";

/** Moves a synced pack into the folder of packs, its index last: readers look for that. Returns the bytes of both. */
export async function installPack(received: string, packFolder: string, name: string): Promise<number> {
  const installed = `${packFolder}/pack-${name}`;
  if (await exists(`${installed}.idx`)) return 0;
  let bytes = 0;
  for (const ending of ["pack", "idx"]) {
    const from = `${received}.${ending}`;
    await chmod(from, platform.finalFileMode);
    bytes += (await stat(from)).size;
    await moveFile(from, `${installed}.${ending}`);
  }
  await syncFolder(packFolder);
  return bytes;
}

/** The repository may have moved to another file system since the pack began to come. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    const temporary = `${to}.tmp`;
    await copyFile(from, temporary);
    const file = await open(temporary, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, to);
    await rm(from, { force: true });
  }
}
