import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../domain/failure.ts";
import { NextTurn } from "../../lib/yield.ts";
import { load, type Transfer } from "../limits/admission.ts";
import type { Sender } from "../limits/sender.ts";
import { sendingPace, TransferPace } from "../limits/transfer-pace.ts";
import { badRequest } from "../params/refusals.ts";

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
export async function readBytes(request: Request, limit: SizeLimit, sender: Sender): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const declared = declaredSize(request);
  if (declared > limit.sizeBytesMax) throw limit.refuse(declared);
  if (request.headers.has("content-length") && declared <= smallBytesMax) return readSmall(request, sender);
  const arrival = load.requests.begin(sender);
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
  const arrival = load.requests.begin(sender);
  const pace = new TransferPace(sender.clock, () => refuse(tooSlow()), sendingPace);
  return () => {
    pace.stop();
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
  const arrival = load.requests.begin(sender);
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
  const arrival = load.requests.begin(sender);
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

/** Smaller pieces are put together, or a body in pieces of one byte would take a hundred times its size. */
const pieceBytesMin = 4096;
/** Pieces that are read as they come. Behind later ones that are small, the reader waits, so that the runtime joins the next ones. */
const eagerPieces = 2;
const joinedBytesMin = 64 * 1024;
const joiningMs = 2;

/** NOTE: not `for await` of the body, which waits until the rest is cancelled: for a request made from another that never comes. */
async function* piecesOf(body: ReadableStream<Uint8Array>, { clock }: Sender): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stopReading = () => void reader.cancel().catch(() => {});
  const pace = new TransferPace(clock, stopReading, sendingPace);
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
    if (!isRead) stopReading();
  }
}

function declaredSize({ headers }: Request): number {
  return Number(headers.get("content-length") ?? 0);
}

function isGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

const blockBytes = 64 * 1024;

/** The part of a body of declared length that has to arrive before memory is reserved for all of it. */
const shareBeforeWhole = 1 / 4;

/** Bytes that come in pieces. A body of declared length is put into one piece of memory as it comes, not copied at its end. */
class GatheredBytes {
  /** Once it is there, what has come is in it; the rest of it is for what will come. */
  #whole: Uint8Array | undefined;
  readonly #parts: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #used = 0;
  #size = 0;
  #declared: number;

  /** @param declared bytes that will come; 0: unknown */
  constructor(declared = 0) {
    this.#declared = declared;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const start = this.#size;
    this.#size += piece.length;
    if (this.#size > this.#declared) this.#distrust(start);
    if (this.#whole === undefined) this.#addPart(piece);
    else this.#whole.set(piece, start);
    if (this.#whole === undefined && this.#size >= this.#declared * shareBeforeWhole) this.#takeWhole();
  }

  /** Stops relying on the declared length: more bytes came. */
  #distrust(size: number): void {
    if (this.#whole !== undefined) this.#parts.push(this.#whole.subarray(0, size));
    this.#whole = undefined;
    this.#declared = 0;
  }

  #takeWhole(): void {
    if (this.#declared === 0) return;
    this.#endBlock();
    const whole = Buffer.allocUnsafeSlow(this.#declared);
    let at = 0;
    for (const part of this.#parts.splice(0)) {
      whole.set(part, at);
      at += part.length;
    }
    this.#whole = whole;
  }

  #addPart(piece: Uint8Array): void {
    if (piece.length >= pieceBytesMin) {
      this.#endBlock();
      this.#parts.push(piece);
      return;
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#endBlock();
      this.#block = new Uint8Array(blockBytes);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** All of it, in one piece. */
  bytes(): Uint8Array {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.#size);
    this.#endBlock();
    return Buffer.concat(this.#parts, this.#size);
  }

  drop(): void {
    this.#whole = undefined;
    this.#parts.length = 0;
    this.#block = new Uint8Array(0);
    this.#used = 0;
    this.#size = 0;
  }

  #endBlock(): void {
    if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
