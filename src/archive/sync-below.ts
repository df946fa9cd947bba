import { open, readdir } from "node:fs/promises";
import pLimit from "p-limit";
import { syncFolder } from "../git/index.ts";
import { platform } from "../lib/platform/index.ts";

/** The number of files that are synced at once, since file systems combine several syncs. */
export const syncsMax = 32;

/** Syncs a folder and the folders below it, with or without their files. No error when it does not exist. */
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
