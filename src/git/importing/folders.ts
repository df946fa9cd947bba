/** The folder in which commands stage repositories for a server. */

import { readdir, stat } from "node:fs/promises";

/** Names of staged repositories. */
export const stagePattern = "^[A-Za-z0-9_-]{1,64}$";

/** `stage` has the form of `stagePattern`. */
export function stagedFolderOf(dataFolder: string, stage: string): string {
  return `${importsFolderOf(dataFolder)}/${stage}`;
}

export function importsFolderOf(dataFolder: string): string {
  return `${dataFolder}/imports`;
}

/** Bytes of all files below a folder. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(`${entry.parentPath}/${entry.name}`)).size;
  }
  return bytes;
}
