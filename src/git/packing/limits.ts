/** Limits of a received pack (git-over-http 9). */

export interface PackLimits {
  readonly objectsMax: number;
  /** Bytes of one object. */
  readonly objectBytesMax: number;
}

export const treeEntriesDepthMax = 4_096;
/** Deltas that are applied one after the other to make an object. */
export const chainMax = 4_095;
/** Objects of more bytes are not held in memory; those that are deltas, or not files, are refused. */
export const wholeBytesMax = 64 << 20;

/** A pack that is refused. The message is what git prints behind `remote unpack failed: `. */
export class PackError extends Error {
  override readonly name = "PackError";
}
