/** Files of their own for objects of a pack that the event loop of the server would not read from it (`objects/limits.ts`). */

import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { constants } from "node:zlib";
import {
  deltaChainBytesMax,
  deltaDepthMax,
  deltaFileBytesMax,
  deltaPartBytesMax,
  type ObjectType,
} from "../objects/limits.ts";
import type { DeltaChain } from "./delta-tree.ts";
import { deflated, loosePath } from "./large-objects.ts";
import { type Content, piecesOf } from "./scratch.ts";

/** Whether an object that is made from deltas needs a file of its own. */
export function needsOwnFile(type: ObjectType, size: number, { depth, bytes, largestPart }: DeltaChain): boolean {
  return (
    (type === "blob" && size > deltaFileBytesMax) ||
    depth > deltaDepthMax ||
    bytes > deltaChainBytesMax ||
    largestPart > deltaPartBytesMax
  );
}

/** Writes a loose object, synced, below a folder. */
export async function writeOwnFile(folder: string, type: ObjectType, oid: Uint8Array, content: Content): Promise<void> {
  const path = loosePath(oid);
  mkdirSync(`${folder}/${path.slice(0, 2)}`, { recursive: true, mode: 0o700 });
  const file = openSync(`${folder}/${path}`, "w", 0o600);
  try {
    const header = Buffer.from(`${type} ${content.length}\0`);
    for await (const piece of deflated(withHeader(header, content), content.length, constants.Z_BEST_SPEED)) {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at, piece.length - at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function* withHeader(header: Buffer, content: Content): Generator<Buffer> {
  yield header;
  yield* piecesOf(content);
}
