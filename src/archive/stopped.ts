import { snapshotOfStopped, systemDisk } from "../store/index.ts";
import { foldersOf, type StoreTarget } from "./target.ts";
import { type ArchiveProgress, writeArchive } from "./write.ts";

/**
 * Yields an archive of a stopped store in pieces. The caller holds its lock until the end. `created_at` goes into the
 * archive. Throws `StartError` when there is no store or its journal is damaged.
 */
export function archiveOfStopped(
  target: StoreTarget,
  created_at: string,
  onProgress?: (progress: ArchiveProgress) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const snapshot = snapshotOfStopped(systemDisk, target.dataFolder);
  const storages = foldersOf(target, snapshot.manifest.generation);
  const source = { snapshot, storages, isTooNew: () => false };
  return writeArchive(source, created_at, new AbortController().signal, onProgress);
}
