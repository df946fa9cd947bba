/** Limits of a received pack (git-over-http 9). */

import { countGarbage } from "./garbage.ts";

/** Limits that the server is told. */
export interface PackLimits {
  readonly objectsMax: number;
  /** Bytes of one object. */
  readonly objectBytesMax: number;
}

export const defaultPackLimits: PackLimits = { objectsMax: 10_000_000, objectBytesMax: 2 * 1024 ** 3 };

/** Deltas that are applied one after the other to make an object. */
export const chainMax = 4_095;
/** Commits, trees and tags of more bytes are refused: they are held in memory. */
export const wholeBytesMax = 64 << 20;
/** Files, and deltas, of more bytes are not held in memory. */
export const heldBytesMax = 16 << 20;

/** Objects that one order may look up, and how often more it may look up each object of the repository. */
const [lookUpsMin, lookUpsPerObject] = [200_000, 4];

/** The look-ups that one order may make in a repository of so many objects. */
export function lookUpsMax(objects: number): number {
  return lookUpsMin + lookUpsPerObject * objects;
}

/** An order of a client would keep its thread for too long. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** A pack that is refused. The message is what git prints behind `remote unpack failed: `. */
export class PackError extends Error {
  override readonly name = "PackError";
}

/** Bytes that may be made from a pack, whatever its size, and from each byte of it: a few bytes of a delta can make gigabytes. */
const madeBytesMin = 4 * 1024 ** 3;
const madeBytesPerByte = 1_024;

/** Counts the bytes that are made from a pack, so that none keeps a thread busy for hours. */
export class MadeBytes {
  #left: number;

  constructor(packBytes: number) {
    this.#left = madeBytesMin + madeBytesPerByte * packBytes;
  }

  /** Throws `PackError` for more than there may be. */
  add(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new PackError("pack unpacks to too many bytes");
    countGarbage(bytes);
  }
}
