import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import {
  type DeletedRefs,
  filesOfRepository,
  type RepositoryFileSource,
  repositoriesBelow,
  type StorageFolders,
} from "../git/index.ts";
import type { Manifest, SnapshotFile, StoreSnapshot } from "../store/index.ts";

/** A file on its way into an archive. */
export interface ArchiveFile {
  /** The path in the archive. */
  readonly name: string;
  readonly size: number;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Everything that belongs into one archive. */
export interface ArchiveSource {
  readonly snapshot: StoreSnapshot;
  readonly storages: StorageFolders;
  /** Repositories of projects newer than the snapshot: the restored store gives their ids again. */
  readonly isTooNew: (repositoryPath: string) => boolean;
  /** The refs deleted after the snapshot, which may name one as the default branch. */
  readonly deletedRefs?: DeletedRefs;
}

/** Larger files are read in pieces. */
const wholeBytesMax = 1 << 20;

/** Documents first, since they are of one moment; repositories of moments after it, so that nothing in them is missing. */
export async function* filesOf({
  snapshot,
  storages,
  isTooNew,
  deletedRefs,
}: ArchiveSource): AsyncGenerator<ArchiveFile> {
  yield manifestFile(snapshot.manifest);
  for (const file of snapshot.files()) yield fileOf(`data/${file.name}`, file);
  for (const [storage, folder] of storages) {
    for await (const path of repositoriesBelow(folder)) {
      if (isTooNew(path)) continue;
      for await (const source of filesOfRepository(`${folder}/${path}`, deletedRefs)) {
        const file = await archiveFileOf(`repositories/${storage}/${path}/${source.name}`, source);
        if (file !== undefined) yield file;
      }
    }
  }
}

/** A restore names a generation of its own in it. */
function manifestFile(manifest: Manifest): ArchiveFile {
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return { name: "data/manifest.json", size: content.byteLength, content };
}

async function archiveFileOf(name: string, source: RepositoryFileSource): Promise<ArchiveFile | undefined> {
  if ("content" in source) return { name, size: source.content.byteLength, content: source.content };
  try {
    return await fileOf(name, source);
  } catch (error) {
    if (source.mayGo && error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function fileOf(name: string, { path, bytes }: Pick<SnapshotFile, "path" | "bytes">): Promise<ArchiveFile> {
  const file = await open(path, "r");
  try {
    const size = bytes ?? (await file.stat()).size;
    if (size > wholeBytesMax) return { name, size, content: createReadStream(path, { end: size - 1 }) };
    const content = Buffer.allocUnsafe(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await file.read(content, read, size - read, read);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
      read += bytesRead;
    }
    return { name, size, content };
  } finally {
    await file.close();
  }
}
