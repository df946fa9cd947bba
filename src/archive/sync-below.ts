import { open, readdir } from "node:fs/promises";
import pLimit from "p-limit";
import { syncFolder } from "../git/index.ts";
import { platform } from "../lib/platform/index.ts";

/** Files on their way to the disk at the same time: file systems take several at one go. */
export const syncsMax = 32;

/** A folder and those below it, with their files or without, are on the disk when this resolves. No error where there is none. */
export async function syncBelow(folder: string, what: "folders" | "everything"): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (entries === undefined) return;
  const limit = pLimit(syncsMax);
  const files = what === "everything" ? entries.filter((entry) => entry.isFile()) : [];
  await limit.map(files, ({ name }) => syncFile(`${folder}/${name}`));
  for (const entry of entries) if (entry.isDirectory()) await syncBelow(`${folder}/${entry.name}`, what);
  await syncFolder(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, platform.syncFlag);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
