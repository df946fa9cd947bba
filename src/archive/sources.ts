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

/** A file to be archived. */
export interface ArchiveFile {
  /** The path in the archive. */
  readonly name: string;
  readonly size: number;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The content of an archive. */
export interface ArchiveSource {
  readonly snapshot: StoreSnapshot;
  readonly storages: StorageFolders;
  /** True for a repository of a project newer than the snapshot: the restored store will give its id again. */
  readonly isTooNew: (repositoryPath: string) => boolean;
  /** The refs deleted after the snapshot, one of which may be the default branch. */
  readonly deletedRefs?: DeletedRefs;
}

/** Larger files are read in pieces. */
const wholeBytesMax = 1 << 20;

/**
 * Yields documents first, which are of one moment, then repositories, which are of later moments, so that nothing is missing
 * in them.
 */
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

/** Returns the manifest without its generation: a restore sets its own. */
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
