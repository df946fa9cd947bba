import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { repositoriesBelow } from "../git/index.ts";
import type { ArchiveSource } from "./sources.ts";

/** The total is worth no longer wait. */
const msMax = 1_000;

const blockBytes = 512;

/** A file in a tar archive: a block before it, and whole blocks of content. */
export function bytesInTar(size: number): number {
  return blockBytes * (1 + Math.ceil(size / blockBytes));
}

/** About as many bytes as the archive will have before its compression; undefined if they take too long to count. */
export async function expectedBytes(source: ArchiveSource, limitMs = msMax): Promise<number | undefined> {
  const end = performance.now() + limitMs;
  let total = 0;
  for await (const size of sizesOf(source)) {
    total += bytesInTar(size);
    if (performance.now() > end) return undefined;
  }
  return total;
}

async function* sizesOf({ snapshot, storages, isTooNew }: ArchiveSource): AsyncGenerator<number> {
  for (const { path, bytes } of snapshot.files()) yield bytes ?? (await sizeOf(path));
  for (const folder of storages.values()) {
    for await (const path of repositoriesBelow(folder)) {
      if (isTooNew(path)) continue;
      for (const entry of await readdir(join(folder, path), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) yield await sizeOf(join(entry.parentPath, entry.name));
      }
    }
  }
}

/** Files of a repository may go while they are counted. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
