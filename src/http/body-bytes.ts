import type { Failure } from "../domain/failure.ts";

/**
 * The body as bytes, at most `sizeBytesMax` of them. What `refuse` makes is thrown for more: at once when the length
 * is declared, else as soon as the count is passed; it is told the size that is known so far. A body that is refused
 * is never held whole.
 */
export async function readBytes(
  request: Request,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const declared = request.headers.get("content-length");
  if (declared === null) return countBytes(request.body, sizeBytesMax, refuse);
  if (Number(declared) > sizeBytesMax) throw refuse(Number(declared));
  return request.bytes();
}

async function countBytes(
  body: ReadableStream<Uint8Array>,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, sizeBytes);
}
