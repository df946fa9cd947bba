import { chmod, copyFile, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { platform } from "../lib/platform/index.ts";
import { codeOf, exists, makeDurableFolder, syncFolder } from "./durable.ts";
import { ownFilesOf } from "./layout.ts";

/** The parts of a received pack that are installed. */
export interface ReceivedPack {
  readonly name: string;
  /** Paths of its objects that are files of their own, below `ownFilesOf`. */
  readonly ownFiles: readonly string[];
}

/**
 * Moves a synced pack into the folder of objects, its index last: readers look for that. The files of its large objects come before
 * it, since readers look for them first. Returns the bytes of all.
 */
export async function installPack(received: string, objects: string, pack: ReceivedPack): Promise<number> {
  const installed = `${objects}/pack/pack-${pack.name}`;
  if (await exists(`${installed}.idx`)) return 0;
  let bytes = 0;
  for (const path of pack.ownFiles) {
    if (await exists(`${objects}/${path}`)) continue;
    await makeDurableFolder(dirname(`${objects}/${path}`));
    bytes += await install(`${ownFilesOf(received)}/${path}`, `${objects}/${path}`);
  }
  for (const folder of new Set(pack.ownFiles.map(dirname))) await syncFolder(`${objects}/${folder}`);
  for (const ending of ["pack", "idx"]) bytes += await install(`${received}.${ending}`, `${installed}.${ending}`);
  await syncFolder(dirname(installed));
  return bytes;
}

async function install(from: string, to: string): Promise<number> {
  await chmod(from, platform.finalFileMode);
  const { size } = await stat(from);
  await moveFile(from, to);
  return size;
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
