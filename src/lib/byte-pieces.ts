/** The bytes that are written or hashed before other work runs: one or two milliseconds. */
const pieceBytes = 1024 * 1024;

/** Yields the bytes in pieces that share their memory. */
export function* piecesOf<B extends ArrayBufferLike>(
  bytes: Uint8Array<B>,
  length = pieceBytes,
): Generator<Uint8Array<B>> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/**
 * Returns a stream that makes each piece when its reader wants one; undefined ends it. Calls `close` when the reader stops
 * early.
 */
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
