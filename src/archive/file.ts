import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../git/index.ts";
import type { ArchiveManifest } from "./format.ts";
import { readArchive } from "./read.ts";

/** Returns the bytes of an archive file. */
export function archiveBytes(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1 << 18 });
}

/** Writes an archive file. It gets its name only once it is on the disk and verified. On an error, nothing is left. */
export async function writeArchiveFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  readAgain: (path: string) => AsyncIterable<Uint8Array> = archiveBytes,
): Promise<ArchiveManifest> {
  const temporary = `${path}.part`;
  try {
    await write(temporary, pieces);
    const manifest = await readArchive(readAgain(temporary));
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return manifest;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function write(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
