/** Objects in pieces: however large one is, few of its bytes are in memory. */

import { createReadStream } from "node:fs";
import { constants, createDeflate, createInflate, deflateSync } from "node:zlib";
import { deltaFileBytesMax, pieceWiseBytes } from "../objects/limits.ts";
import { entryAt, looseHeadOf, type ObjectPlace, type ObjectStore } from "./object-store.ts";
import { hexOf } from "./oid-table.ts";

const pieceBytes = 256 << 10;

/** The place to read an object from: a large one that is a delta in its pack is a file of its own, too. */
export function placeToRead(store: ObjectStore, oid: Uint8Array, place: ObjectPlace): ObjectPlace {
  if (!store.isDelta(place)) return place;
  return store.headOf(place).size <= deltaFileBytesMax ? place : (store.findLoose(oid) ?? place);
}

/** The content of an object. Throws for a delta of more bytes than are read whole, and for a damaged object. */
export async function* contentPieces(store: ObjectStore, place: ObjectPlace): AsyncGenerator<Buffer> {
  const { size } = store.headOf(place);
  const entry = "loose" in place ? undefined : entryAt(place.pack, place.offset);
  if (size <= pieceWiseBytes || (entry !== undefined && "base" in entry)) {
    yield store.readAt(place).content;
    return;
  }
  const [path, start, before] =
    "loose" in place
      ? [place.loose, 0, looseHeadOf(place.loose).contentStart]
      : [`${place.pack.path}.pack`, entry?.dataStart ?? 0, 0];
  const source = createReadStream(path, { start, highWaterMark: pieceBytes });
  const inflate = createInflate({ chunkSize: pieceBytes });
  source.on("error", (error) => inflate.destroy(error));
  source.pipe(inflate);
  let [left, skipped] = [size, before];
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      const content = piece.subarray(Math.min(skipped, piece.length));
      skipped -= piece.length - content.length;
      left -= content.length;
      if (left < 0) break;
      if (content.length > 0) yield content;
    }
  } finally {
    source.destroy();
    inflate.destroy();
  }
  if (left !== 0) throw new Error("an object of a repository is damaged");
}

/** Compresses pieces. A single small one takes no stream. */
export async function* deflated(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  level: number = constants.Z_DEFAULT_COMPRESSION,
): AsyncGenerator<Uint8Array> {
  if (size <= pieceWiseBytes) {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    yield deflateSync(Buffer.concat(all), { level });
    return;
  }
  const deflate = createDeflate({ chunkSize: pieceBytes, level });
  const feeding = feed(pieces, deflate);
  feeding.catch((error: Error) => deflate.destroy(error));
  for await (const piece of deflate) yield piece as Buffer;
  await feeding;
}

async function feed(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  deflate: ReturnType<typeof createDeflate>,
): Promise<void> {
  for await (const piece of pieces) {
    if (!deflate.write(piece)) await new Promise((resolve) => deflate.once("drain", resolve));
  }
  deflate.end();
}

/** The path of a loose object below the folder of all objects. */
export function loosePath(oid: Uint8Array): string {
  const hex = hexOf(oid);
  return `${hex.slice(0, 2)}/${hex.slice(2)}`;
}
