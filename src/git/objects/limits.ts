/** How much of a repository is unpacked at once. Some objects come from elsewhere, so nothing else bounds them. */

import { Failure, invalid } from "../../domain/failure.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

/** Bytes of an object that is read whole. Larger files come in pieces; a tree of 16 MiB has 400,000 entries. */
const wholeBytesMax: Readonly<Record<ObjectType, number>> = {
  commit: 4 << 20,
  tag: 4 << 20,
  tree: 16 << 20,
  blob: 32 << 20,
};

/** Whether a commit or tag of so many bytes is read whole. */
export function isReadable(type: "commit" | "tag", size: number): boolean {
  return size <= wholeBytesMax[type];
}

/** Files of more bytes are read in pieces. */
export const pieceWiseBytes = 1 << 20;

/** Larger files that are deltas are refused: the server cannot read a delta in pieces. */
export const deltaFileBytesMax = 8 << 20;

/** The bytes of what a delta is made from, of the delta, and of what it makes. */
export const deltaPartBytesMax = 32 << 20;

/** Deltas that are applied one after the other; git makes 50 unless it is told otherwise. */
export const deltaDepthMax = 512;

/** Bytes that all deltas of one object make together. */
export const deltaChainBytesMax = 1 << 30;

/** Compressed bytes of an object, also where the compressor is told to compress nothing. */
export function deflatedBytesMax(size: number): number {
  return Math.ceil(1.25 * size) + 1_024;
}

/** An object has more bytes, or more deltas, than are read. */
export class ObjectTooLarge extends Failure {
  constructor(message: string) {
    super("too_large", { message });
  }
}

export function isObjectType(type: string): type is ObjectType {
  return Object.hasOwn(wholeBytesMax, type);
}

/** Throws `ObjectTooLarge` for more bytes than an object of this type may have to be read whole. */
export function requireReadable(oid: string, type: ObjectType, size: number): void {
  const most = wholeBytesMax[type];
  if (size > most) throw new ObjectTooLarge(`the ${type} ${oid} has more than ${most >> 20} MiB`);
}

/** Parents of a commit that is read. The largest merge that we know of has 66. */
export const parentsMax = 1_000;

/** Throws `ObjectTooLarge` for a commit with more parents than a walk follows. */
export function requireFewParents(oid: string, parents: readonly string[]): void {
  if (parents.length > parentsMax) throw new ObjectTooLarge(`the commit ${oid} has more than ${parentsMax} parents`);
}

/** Throws 400 for bytes of a new tree that could not be read again. */
export function requireReadableTree({ length }: Uint8Array): void {
  if (length > wholeBytesMax.tree) throw invalid("The folder has too many files");
}
