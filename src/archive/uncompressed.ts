import { createGunzip } from "node:zlib";
import { writeOn } from "../lib/drain.ts";

/** The same pieces of an archive. Tells how many bytes the passed ones were before their compression. */
export async function* countUncompressed(
  pieces: AsyncIterable<Uint8Array>,
  tell: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let bytes = 0;
  gunzip.on("data", (piece: Uint8Array) => {
    bytes += piece.byteLength;
    tell(bytes);
  });
  // The archive is verified once it is written; here an error only ends the count.
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
