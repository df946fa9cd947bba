import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../domain/failure.ts";
import { NextTurn } from "../../lib/yield.ts";
import type { Transfer } from "../../modules/kernel/request-load.ts";
import type { Sender } from "../limits/sender.ts";
import { sendingPace, TransferPace } from "../limits/transfer-pace.ts";
import { badRequest } from "../params/refusals.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

/** Bodies up to this size are read in one piece, without counting single bytes. */
const smallBytesMax = 64 * 1024;

/** The size limit of a body. */
export interface SizeLimit {
  readonly sizeBytesMax: number;
  /** Returns the error for a larger body. The argument is the size known so far. */
  readonly refuse: (sizeBytes: number) => Failure;
}

/**
 * Returns the body. Throws for one that is too long: at once if it declares its length, else as soon as the count exceeds
 * the limit. Also throws when the client disconnects, 408 for a body that comes too slowly, and 503 when too many bodies or
 * too many bytes are being received and handled.
 */
export function readBytes(request: Request, limit: SizeLimit, sender: Sender): Promise<Uint8Array> {
  return isSmall(request, limit.sizeBytesMax) ? readSmall(request, sender) : readPieces(request, limit, sender);
}

/** True when a body declares a small size of at most `sizeBytesMax`. */
export function isSmall({ headers }: Request, sizeBytesMax = smallBytesMax): boolean {
  const declared = headers.get("content-length");
  return declared !== null && Number(declared) <= Math.min(smallBytesMax, sizeBytesMax);
}

async function readPieces(request: Request, limit: SizeLimit, sender: Sender): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const declared = declaredSize(request);
  if (declared > limit.sizeBytesMax) throw limit.refuse(declared);
  const arrival = sender.load.requests.begin(sender);
  const gathered = new GatheredBytes(declared);
  try {
    for await (const piece of piecesOf(request.body, sender)) {
      if (gathered.size + piece.length > limit.sizeBytesMax) throw limit.refuse(gathered.size + piece.length);
      arrival.add(piece.length);
      gathered.add(piece);
    }
  } catch (error) {
    arrival.end();
    throw error;
  }
  keepCounted(arrival, sender);
  return gathered.bytes();
}

/** Counts a received body until its request is answered. */
function keepCounted(arrival: Transfer, sender: Sender): void {
  arrival.arrived();
  sender.onAnswered(() => arrival.end());
}

/**
 * Returns a small body. One that came with its headers is read in the same turn of the event loop and does not count as
 * being received.
 */
function readSmall(request: Request, sender: Sender): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let isRead = false;
    let stop = () => {};
    const end = () => {
      isRead = true;
      stop();
    };
    request.bytes().then(
      (bytes) => {
        end();
        resolve(bytes);
      },
      (error: unknown) => {
        end();
        reject(isGone(error) ? badRequest() : error);
      },
    );
    nextTurn.run(() => {
      if (isRead) return;
      try {
        stop = waitForBody(sender, (failure) => {
          end();
          reject(failure);
        });
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Counts a small body while it is being received, and limits its time. The returned function ends both. Throws 503. */
function waitForBody(sender: Sender, refuse: (failure: Failure) => void): () => void {
  const arrival = sender.load.requests.begin(sender);
  const pace = new TransferPace(sender.clock, () => refuse(tooSlow()), sendingPace);
  const stopListening = limitTimeAtClosing(pace, sender.gate);
  return () => {
    pace.stop();
    stopListening();
    arrival.end();
  };
}

const nextTurn = new NextTurn();

/**
 * Does what `readBytes` does, but reads a body that is too long to its end before it throws, so that a client that only
 * sends gets the answer. Stops at `drainBytesMax`.
 */
export async function drainBytes(
  request: Request,
  limit: SizeLimit,
  drainBytesMax: number,
  sender: Sender,
): Promise<Uint8Array> {
  const { sizeBytesMax, refuse } = limit;
  const declared = declaredSize(request);
  if (request.body === null || (declared > 0 && declared <= sizeBytesMax)) return readBytes(request, limit, sender);
  const arrival = sender.load.requests.begin(sender);
  const gathered = new GatheredBytes();
  let sizeBytes = 0;
  try {
    for await (const piece of piecesOf(request.body, sender)) {
      sizeBytes += piece.length;
      if (sizeBytes > drainBytesMax) break;
      if (sizeBytes > sizeBytesMax) {
        gathered.drop();
        continue;
      }
      arrival.add(piece.length);
      gathered.add(piece);
    }
    if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
  } catch (error) {
    arrival.end();
    throw error;
  }
  keepCounted(arrival, sender);
  return gathered.bytes();
}

/**
 * Yields the body in pieces and counts them. Throws the errors of `readBytes`. If the caller stops early, the rest is
 * discarded.
 */
export async function* streamBytes(
  request: Request,
  { sizeBytesMax, refuse }: SizeLimit,
  sender: Sender,
): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const declared = declaredSize(request);
  if (declared > sizeBytesMax) throw refuse(declared);
  const arrival = sender.load.requests.begin(sender);
  let sizeBytes = 0;
  try {
    for await (const piece of piecesOf(request.body, sender)) {
      sizeBytes += piece.length;
      if (sizeBytes > sizeBytesMax) throw refuse(sizeBytes);
      yield piece;
    }
  } finally {
    arrival.end();
  }
}

/** Returns the error for a slow body. It closes the connection, to make room for others. */
function tooSlow(): Failure {
  return new Failure("too_slow", { message: "408 Request Timeout" }, { headers: { Connection: "close" } });
}

/**
 * The number of pieces that are read without a wait. Before each further small piece the reader waits, so that the runtime
 * joins several.
 */
const eagerPieces = 2;
const joinedBytesMin = 64 * 1024;
const joiningMs = 2;

/** Not `for await`, which would wait until the rest is cancelled: for a request made from another, that never happens. */
async function* piecesOf(body: ReadableStream<Uint8Array>, { clock, gate }: Sender): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stopReading = () => void reader.cancel().catch(() => {});
  const pace = new TransferPace(clock, stopReading, sendingPace);
  const stopListening = limitTimeAtClosing(pace, gate);
  let isRead = false;
  let count = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pace.moved(read.value.length);
      pace.pause();
      yield read.value;
      pace.resume();
      count += 1;
      // A body of a mebibyte may come in a million pieces of one byte.
      if (count > eagerPieces && read.value.length < joinedBytesMin) await delay(joiningMs);
    }
    if (pace.isLate) throw tooSlow();
    isRead = true;
  } catch (error) {
    throw isGone(error) ? badRequest() : error;
  } finally {
    pace.stop();
    stopListening();
    if (!isRead) stopReading();
  }
}

/** The time that a body gets while work waits for it. */
const closingMs = 2000;

/** Limits the time of a body once work wants to run alone. The returned function removes that limit. */
function limitTimeAtClosing(pace: TransferPace, gate: Sender["gate"]): () => void {
  if (gate === undefined) return () => {};
  if (gate.closed !== undefined) pace.limit(closingMs);
  return gate.onClosing(() => pace.limit(closingMs));
}

function declaredSize({ headers }: Request): number {
  return Number(headers.get("content-length") ?? 0);
}

function isGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
