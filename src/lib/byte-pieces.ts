/** A piece of what is written or hashed while others wait for their turn: a millisecond or two. */
const pieceBytes = 1024 * 1024;

/** Bytes in pieces that share their memory. */
export function* piecesOf<B extends ArrayBufferLike>(
  bytes: Uint8Array<B>,
  length = pieceBytes,
): Generator<Uint8Array<B>> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}
