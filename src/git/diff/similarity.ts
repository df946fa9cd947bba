/** The likeness of two files, as git measures it to find renamed ones. */

import type { Steps } from "../../lib/yield.ts";

/** Pieces of a file → the bytes that the file has of each. */
export type Fingerprint = ReadonlyMap<string, number>;

/** A piece ends with a line, or after so many bytes. */
const pieceBytes = 64;
const piecesPerStep = 512;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Takes the fingerprint of a file. In a text, line breaks of either kind are the same. */
export function* fingerprintOf(bytes: Uint8Array, isText: boolean): Steps<Fingerprint> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces = new Map<string, number>();
  let count = 0;
  let piece: number[] = [];
  const end = () => {
    const key = String.fromCharCode(...piece);
    pieces.set(key, (pieces.get(key) ?? 0) + piece.length);
    piece = [];
    count += 1;
  };
  for (const [at, byte] of buffer.entries()) {
    if (isText && byte === carriageReturn && buffer[at + 1] === lineFeed) continue;
    if (piece.push(byte) < pieceBytes && byte !== lineFeed) continue;
    end();
    if (count % piecesPerStep === 0) yield;
  }
  if (piece.length > 0) end();
  return pieces;
}

/** Scores are whole numbers up to this one. */
export const scoreMax = 60_000;
/** Half of the larger file is in the other one. */
export const renamedScore = scoreMax / 2;

/** The score of two files of these sizes that have so many bytes in common. */
export function scoreOf(commonBytes: number, oneBytes: number, otherBytes: number): number {
  const larger = Math.max(oneBytes, otherBytes);
  const isNearInSize = larger * (scoreMax - renamedScore) >= Math.abs(oneBytes - otherBytes) * scoreMax;
  return isNearInSize ? Math.floor((commonBytes * scoreMax) / larger) : 0;
}
