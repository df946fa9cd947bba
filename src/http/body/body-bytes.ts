import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../domain/failure.ts";
import { NextTurn } from "../../lib/yield.ts";
import type { Transfer } from "../../modules/kernel/request-load.ts";
import type { Sender } from "../limits/sender.ts";
import { sendingPace, TransferPace } from "../limits/transfer-pace.ts";
import { badRequest } from "../params/refusals.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

/** Bodies up to here are read in one piece, and not counted byte for byte. */
const smallBytesMax = 64 * 1024;

/** Limit on the size of a body. */
export interface SizeLimit {
  readonly sizeBytesMax: number;
  /** Makes the error for a larger body; the argument is the size that is known so far. */
  readonly refuse: (sizeBytes: number) => Failure;
}

/**
 * The body as bytes. One that is too long is refused at once when its length is declared, else as soon as the count is
 * passed, and is never held whole. A client that is gone before the end is refused too, though it will not read that.
 * Throws 408 for a body that comes too slowly, 503 when too many bodies, or too much of them, are on their way or in
 * the hands of handlers.
 */
export function readBytes(request: Request, limit: SizeLimit, sender: Sender): Promise<Uint8Array> {
  return isSmall(request, limit.sizeBytesMax) ? readSmall(request, sender) : readPieces(request, limit, sender);
}

/** Whether a body says that it is small, and no larger than `sizeBytesMax`. */
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

/** The body is there, and its bytes count until its request is answered. */
function keepCounted(arrival: Transfer, sender: Sender): void {
  arrival.arrived();
  sender.onAnswered(() => arrival.end());
}

/** A small body that came with its head is read in the same turn of the event loop: only others are on their way. */
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

/** Counts a small body as long as it is on its way, and gives it its time; the returned function ends both. Throws 503. */
function waitForBody(sender: Sender, refuse: (failure: Failure) => void): () => void {
  const arrival = sender.load.requests.begin(sender);
  const pace = new TransferPace(sender.clock, () => refuse(tooSlow()), sendingPace);
  const stopListening = hurryAtClosing(pace, sender.gate);
  return () => {
    pace.stop();
    stopListening();
    arrival.end();
  };
}

const nextTurn = new NextTurn();

/**
 * Reads as `readBytes`, but reads a body that is too long to its end before it refuses it, so that a client that sends
 * without listening gets the answer; beyond `drainBytesMax` it stops.
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

/** The body piece by piece, counted on the way. Throws as `readBytes`; who stops early lets the rest be dropped. */
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

/** Refuses a body that comes too slowly, and closes the connection: its place is for others. */
function tooSlow(): Failure {
  return new Failure("too_slow", { message: "408 Request Timeout" }, { headers: { Connection: "close" } });
}

/** Pieces that are read as they come. Behind later ones that are small, the reader waits, so that the runtime joins the next ones. */
const eagerPieces = 2;
const joinedBytesMin = 64 * 1024;
const joiningMs = 2;

/** NOTE: not `for await` of the body, which waits until the rest is cancelled: for a request made from another that never comes. */
async function* piecesOf(body: ReadableStream<Uint8Array>, { clock, gate }: Sender): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stopReading = () => void reader.cancel().catch(() => {});
  const pace = new TransferPace(clock, stopReading, sendingPace);
  const stopListening = hurryAtClosing(pace, gate);
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

/** The time of a body that others wait for. */
const hurriedMs = 2000;

/** Limits the time of a body from the moment on at which work wants to be alone. The returned function ends that. */
function hurryAtClosing(pace: TransferPace, gate: Sender["gate"]): () => void {
  if (gate === undefined) return () => {};
  if (gate.closed !== undefined) pace.limit(hurriedMs);
  return gate.onClosing(() => pace.limit(hurriedMs));
}

function declaredSize({ headers }: Request): number {
  return Number(headers.get("content-length") ?? 0);
}

function isGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
