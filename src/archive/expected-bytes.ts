import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { repositoriesBelow } from "../git/index.ts";
import type { SnapshotFile } from "../store/index.ts";
import type { ArchiveSource } from "./sources.ts";

/** The total is worth no longer wait. */
const msMax = 1_000;

const blockBytes = 512;

const batchLength = 256;

/** A file in a tar archive: a block before it, and whole blocks of content. */
export function bytesInTar(size: number): number {
  return blockBytes * (1 + Math.ceil(size / blockBytes));
}

/** About as many bytes as the archive will have before its compression; undefined if they take too long to count. */
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

/** A busy server comes back to each wait late, so many files share one. */
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

/** Files of a repository may go while they are counted. */
async function sizeOf({ path, bytes }: CountedFile): Promise<number> {
  if (bytes !== undefined) return bytes;
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
