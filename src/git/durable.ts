import { mkdir, open, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { platform } from "../lib/platform/index.ts";

/** Writes and syncs a file under a name that nothing reads yet, so that only a rename is left. */
export async function writeSynced(path: string, bytes: Uint8Array | string, mode: number): Promise<void> {
  const file = await open(path, "w", mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** When this resolves, every creation, renaming and removal in the folder survives a power loss. */
export async function syncFolder(path: string): Promise<void> {
  if (!platform.syncsFolders) return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a folder, and those above it that are missing, so that a power loss leaves them. Says how many it has made. */
export async function makeDurableFolder(path: string): Promise<number> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return 0;
  let made = 0;
  for (let at = path; at.length >= first.length; at = dirname(at)) {
    await syncFolder(dirname(at));
    made += 1;
  }
  return made;
}

/** Replaces a file at one instant: a reader, also after a crash, finds the old or the new one, complete. */
export async function replaceSynced(path: string, content: string | Uint8Array, temporary: string): Promise<void> {
  await writeSynced(temporary, content, 0o600);
  try {
    await rename(temporary, path);
  } catch (error) {
    if (!platform.folderInTheWay.includes(codeOf(error) ?? "")) throw error;
    // Empty folders that a removed `a/b` left behind stand where `a` is to be.
    await rmdir(path);
    await rename(temporary, path);
  }
  await syncFolder(dirname(path));
}

/** Removes a folder: it is gone at one instant, and stays away after a power loss. Idempotent. */
export async function removeDurably(folder: string): Promise<void> {
  const removed = `${folder}.removed`;
  await rm(removed, { recursive: true, force: true });
  try {
    await rename(folder, removed);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  await syncFolder(dirname(folder));
  await rm(removed, { recursive: true, force: true });
}

/** The code of the operating system's error; undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The result, or undefined when there is no such file or folder. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw error;
  }
}

/** The bytes of a regular file; undefined where there is none. Reading a pipe would wait for a program that writes to it. */
export async function readRegular(path: string): Promise<Buffer | undefined> {
  const found = await ifThere(stat(path));
  return found?.isFile() === true ? ifThere(readFile(path)) : undefined;
}

export async function exists(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== undefined;
}
