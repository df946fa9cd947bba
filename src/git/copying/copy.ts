import { closeSync, copyFileSync, fdatasync, mkdirSync, openSync, readdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { platform } from "../../lib/platform/index.ts";
import { makeDurableFolder, syncFolder } from "../durable.ts";
import { verifyCopy } from "./verify.ts";

const syncLater = promisify(fdatasync);

/** Files on their way to the disk at the same time: file systems take several at one go. */
const syncsMax = 32;

/**
 * Copies the folder of a bare repository, verifies the copy and syncs it; at `destination` it appears at one instant,
 * whole. The rest of an earlier attempt there is deleted. For a worker: it blocks its thread.
 */
export async function copyRepository(source: string, destination: string): Promise<void> {
  const temporary = temporaryOf(destination);
  await rm(temporary, { recursive: true, force: true });
  await rm(destination, { recursive: true, force: true });
  await makeDurableFolder(dirname(destination));
  await mkdir(temporary, { mode: 0o700 });
  const { folders, files } = listTree(source);
  for (const folder of folders) mkdirSync(`${temporary}/${folder}`, { mode: 0o700 });
  const syncs = new Set<Promise<void>>();
  for (const file of files) {
    copyFileSync(`${source}/${file}`, `${temporary}/${file}`);
    const sync = syncFile(`${temporary}/${file}`);
    syncs.add(sync);
    // A failure is thrown below; until then it must not count as unhandled.
    sync.then(
      () => syncs.delete(sync),
      () => undefined,
    );
    await verifyCopy(`${source}/${file}`, `${temporary}/${file}`, file);
    if (syncs.size >= syncsMax) await Promise.race(syncs);
  }
  await Promise.all(syncs);
  await Promise.all([...folders, "."].map((folder) => syncFolder(`${temporary}/${folder}`)));
  await rename(temporary, destination);
  await syncFolder(dirname(destination));
}

/** The path of a copy until it is whole. */
export function temporaryOf(destination: string): string {
  return `${destination}.moving`;
}

/** Everything below a folder, by its path in it; folders before what they hold. Throws for what git does not make. */
function listTree(root: string): { folders: string[]; files: string[] } {
  const folders: string[] = [];
  const files: string[] = [];
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(`${root}/${at}`, { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.push(path);
        waiting.push(path);
      } else if (entry.isFile()) files.push(path);
      else throw new Error(`${path} is neither a file nor a folder`);
    }
  }
  return { folders, files };
}

async function syncFile(path: string): Promise<void> {
  const file = openSync(path, platform.syncFlag);
  try {
    await syncLater(file);
  } finally {
    closeSync(file);
  }
}
