import { type ArchivedObjects, type ArchiveOrder, entriesOf } from "./entries.ts";
import { gzipped, tarPieces } from "./tar.ts";
import { zipPieces } from "./zip.ts";

export type ArchiveFormat = "tar" | "tar.gz" | "zip";

/** The files of a commit in one archive, in pieces that are made as they are taken: the same bytes for the same commit. */
export function archivePieces(
  repository: ArchivedObjects,
  order: ArchiveOrder,
  format: ArchiveFormat,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const entries = entriesOf(repository, order);
  if (format === "zip") return zipPieces(entries, order);
  return format === "tar" ? tarPieces(entries, order) : gzipped(tarPieces(entries, order));
}
