import { createGunzip } from "node:zlib";
import { writeOn } from "../lib/drain.ts";

/** Yields the same pieces of an archive, and reports their size before compression. */
export async function* countUncompressed(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let bytes = 0;
  gunzip.on("data", (piece: Uint8Array) => {
    bytes += piece.byteLength;
    onBytes(bytes);
  });
  // Another function verifies the archive. An error here only ends the count.
  gunzip.on("error", () => undefined);
  try {
    for await (const piece of pieces) {
      await writeOn(gunzip, piece);
      yield piece;
    }
  } finally {
    gunzip.destroy();
  }
}
