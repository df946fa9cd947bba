import { type FileHandle, open, statfs } from "node:fs/promises";
import { Quarantine } from "../quarantine.ts";

/** The share of a disk that answers leave free. */
const freeShareMin = 0.1;

/** A file without a name for an answer that its client takes slowly; undefined when the disk is nearly full. */
export async function openSpool(storageFolder: string): Promise<FileHandle | undefined> {
  const { bavail, blocks } = await statfs(storageFolder);
  if (bavail < blocks * freeShareMin) return undefined;
  await using quarantine = await Quarantine.create(storageFolder);
  // Awaited here: the folder is removed when the function returns.
  return await open(`${quarantine.pack}.answer`, "w+", 0o600);
}
