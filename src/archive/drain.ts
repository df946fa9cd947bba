import type { Writable } from "node:stream";

/** Writes one piece and resolves when the stream takes the next one, or never will again. */
export async function writeOn(stream: Pick<Writable, "write" | "on" | "off">, piece: Uint8Array): Promise<void> {
  if (stream.write(piece)) return;
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
