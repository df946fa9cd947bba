import type { Headers, Pack } from "tar-stream";
import { writeOn } from "./drain.ts";

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Adds a file to an archive, each piece when the archive is ready. Rejects when the archive is destroyed meanwhile. */
export async function addTarEntry(
  tar: Pack,
  header: Headers,
  pieces: Pieces,
  onPiece?: (piece: Uint8Array) => void,
): Promise<void> {
  const added = Promise.withResolvers<void>();
  const entry = tar.entry(header, (error) => {
    if (error === null || error === undefined) added.resolve();
    else added.reject(error);
  });
  // The code that waits for it below handles the error.
  added.promise.catch(() => undefined);
  entry.on("error", () => undefined);
  for await (const piece of pieces) {
    onPiece?.(piece);
    await writeOn(entry, piece);
    if (entry.destroyed) break;
  }
  entry.end();
  await added.promise;
}
