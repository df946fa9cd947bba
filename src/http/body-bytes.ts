import type { Failure } from "../domain/failure.ts";
import { type Arrival, load } from "./load.ts";
import { badRequest } from "./refusals.ts";

/** Bodies up to here are read in one piece, and not counted byte for byte. */
const smallBytesMax = 64 * 1024;

/**
 * The body as bytes, at most `sizeBytesMax` of them. What `refuse` makes is thrown for more: at once when the length
 * is declared, else as soon as the count is passed; it is told the size that is known so far. A body that is refused
 * is never held whole. A client that is gone before the end is refused too, though it will not read that. 503 is thrown
 * when too many bodies, or too much of them, are on their way.
 */
export async function readBytes(
  request: Request,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > sizeBytesMax) throw refuse(Number(declared));
  const isSmall = declared !== null && Number(declared) <= smallBytesMax;
  const arrival = load.arrive();
  try {
    return await (isSmall ? request.bytes() : countBytes(request.body, sizeBytesMax, refuse, arrival));
  } catch (error) {
    throw error instanceof DOMException && error.name === "AbortError" ? badRequest() : error;
  } finally {
    arrival.leave();
  }
}

/** NOTE: not `for await`, which waits until the rest is cancelled: for a request made from another that never comes. */
async function countBytes(
  body: ReadableStream<Uint8Array>,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
  arrival: Arrival,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      sizeBytes += read.value.length;
      if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
      arrival.take(read.value.length);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error;
  }
  return Buffer.concat(chunks, sizeBytes);
}

/**
 * As `readBytes`, but what is too long is read to its end before it is refused, so that who sends without listening finds
 * the answer; beyond `drainBytesMax` nobody waits any longer.
 */
export async function drainBytes(
  request: Request,
  sizeBytesMax: number,
  drainBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (request.body === null || (declared > 0 && declared <= sizeBytesMax)) {
    return readBytes(request, sizeBytesMax, refuse);
  }
  const reader = request.body.getReader();
  const arrival = load.arrive();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      sizeBytes += read.value.length;
      if (sizeBytes > sizeBytesMax) chunks.length = 0;
      else {
        arrival.take(read.value.length);
        chunks.push(read.value);
      }
      if (sizeBytes <= drainBytesMax) continue;
      reader.cancel().catch(() => {});
      break;
    }
  } catch (error) {
    throw error instanceof DOMException && error.name === "AbortError" ? badRequest() : error;
  } finally {
    arrival.leave();
  }
  if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
  return Buffer.concat(chunks, sizeBytes);
}

/** The body piece by piece, counted on the way. Throws as `readBytes`; who stops early lets the rest be dropped. */
export async function* streamBytes(
  request: Request,
  sizeBytesMax: number,
  refuse: (sizeBytes: number) => Failure,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > sizeBytesMax) throw refuse(declared);
  const arrival = load.arrive();
  const reader = request.body.getReader();
  let sizeBytes = 0;
  let isRead = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      sizeBytes += read.value.length;
      if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
      yield read.value;
    }
    isRead = true;
  } catch (error) {
    throw error instanceof DOMException && error.name === "AbortError" ? badRequest() : error;
  } finally {
    arrival.leave();
    if (!isRead) reader.cancel().catch(() => {});
  }
}
