import type { Failure } from "../domain/failure.ts";
import { badRequest } from "./refusals.ts";

/**
 * The body as bytes, at most `sizeBytesMax` of them. What `refuse` makes is thrown for more: at once when the length
 * is declared, else as soon as the count is passed; it is told the size that is known so far. A body that is refused
 * is never held whole. A client that is gone before the end is refused too, though it will not read that.
 */
export async function readBytes(
  request: Request,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > sizeBytesMax) throw refuse(Number(declared));
  try {
    return await (declared === null ? countBytes(request.body, sizeBytesMax, refuse) : request.bytes());
  } catch (error) {
    throw error instanceof DOMException && error.name === "AbortError" ? badRequest() : error;
  }
}

/** NOTE: not `for await`, which waits until the rest is cancelled: for a request made from another that never comes. */
async function countBytes(
  body: ReadableStream<Uint8Array>,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    sizeBytes += read.value.length;
    if (sizeBytes <= sizeBytesMax) continue;
    reader.cancel().catch(() => {});
    throw refuse(sizeBytes);
  }
  return Buffer.concat(chunks, sizeBytes);
}
