import type { Writable } from "node:stream";

/**
 * Writes one piece, and resolves when the stream takes the next one or is closed. A closed stream emits no further event.
 */
export async function writeOn(
  stream: Pick<Writable, "destroyed" | "write" | "on" | "off">,
  piece: Uint8Array,
): Promise<void> {
  if (stream.destroyed || stream.write(piece)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off("drain", go);
      stream.off("close", go);
      resolve();
    };
    stream.on("drain", go);
    stream.on("close", go);
  });
}

/** Writes all pieces, each when the stream is ready, and ends the stream. */
export async function pour(pieces: AsyncIterable<Uint8Array>, stream: Writable): Promise<void> {
  for await (const piece of pieces) {
    await writeOn(stream, piece);
    if (stream.destroyed) return;
  }
  stream.end();
}
