import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { repositoriesBelow } from "../git/index.ts";
import type { SnapshotFile } from "../store/index.ts";
import type { ArchiveSource } from "./sources.ts";

/** The longest time for counting the total. */
const msMax = 1_000;

const blockBytes = 512;

const batchLength = 256;

/** Returns the size of a file in a tar archive: its header block, and its content in whole blocks. */
export function bytesInTar(size: number): number {
  return blockBytes * (1 + Math.ceil(size / blockBytes));
}

/** Returns the approximate size of the archive before compression; undefined if counting takes too long. */
export async function expectedBytes(source: ArchiveSource, limitMs = msMax): Promise<number | undefined> {
  const end = performance.now() + limitMs;
  let total = 0;
  for await (const files of batchesOf(filesOf(source))) {
    if (performance.now() > end) return undefined;
    for (const size of await Promise.all(files.map(sizeOf))) total += bytesInTar(size);
  }
  return total;
}

type CountedFile = Pick<SnapshotFile, "path" | "bytes">;

async function* filesOf({ snapshot, storages, isTooNew }: ArchiveSource): AsyncGenerator<CountedFile> {
  yield* snapshot.files();
  for (const folder of storages.values()) {
    for await (const path of repositoriesBelow(folder)) {
      if (isTooNew(path)) continue;
      for (const entry of await readdir(join(folder, path), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) yield { path: join(entry.parentPath, entry.name) };
      }
    }
  }
}

/** Groups files, since on a busy server each wait takes long. */
async function* batchesOf(files: AsyncIterable<CountedFile>): AsyncGenerator<CountedFile[]> {
  let batch: CountedFile[] = [];
  for await (const file of files) {
    batch.push(file);
    if (batch.length < batchLength) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Returns the size of a file; 0 for a file of a repository that was removed meanwhile. */
async function sizeOf({ path, bytes }: CountedFile): Promise<number> {
  if (bytes !== undefined) return bytes;
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
