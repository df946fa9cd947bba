/** A piece of what is written or hashed while others wait for their turn: a millisecond or two. */
const pieceBytes = 1024 * 1024;

/** Bytes in pieces that share their memory. */
export function* piecesOf<B extends ArrayBufferLike>(
  bytes: Uint8Array<B>,
  length = pieceBytes,
): Generator<Uint8Array<B>> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** A stream of pieces, each made when its reader wants one; undefined ends it. `close` is called when the reader gives up. */
export function streamOf(
  next: () => Promise<Uint8Array<ArrayBuffer> | undefined>,
  close: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await next();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
