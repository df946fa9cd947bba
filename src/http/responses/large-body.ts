import type { Clock } from "../../domain/clock.ts";
import { piecesOf } from "../../lib/byte-pieces.ts";
import { networkOf } from "../../lib/ip-address.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import type { Peer, Transfer } from "../../modules/kernel/request-load.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { TransferPace, takingPace } from "../limits/transfer-pace.ts";
import { LargeJson, pieceBytes, smallBytesMax } from "./json-stream.ts";

/**
 * The most bytes that the texts of a JSON body count for while it is sent: the store holds most of the large ones anyway.
 */
const textWeightMax = 16 * 1024 * 1024;

/** A body that is in memory. */
export type BodyInMemory = string | Uint8Array<ArrayBuffer> | LargeJson;

/**
 * Returns a large body as a stream, and a small one unchanged. The stream's pieces count while they are being sent. It logs
 * an error that ends the body, since the status is sent already, and disconnects a slow client. Throws 503 when too much is
 * being sent, except for the answer to a change, which the client would repeat.
 */
export function sendable(
  requestContext: RequestContext,
  body: BodyInMemory,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (!(body instanceof LargeJson) && body.length <= smallBytesMax) return body;
  const transfer = beginTransfer(requestContext);
  try {
    transfer.add(body instanceof LargeJson ? body.weight(textWeightMax) : body.length);
  } catch (error) {
    transfer.end();
    throw error;
  }
  const pieces =
    body instanceof LargeJson
      ? body.pieces()
      : piecesOf(typeof body === "string" ? Buffer.from(body) : body, pieceBytes);
  return streamPieces(pieces, requestContext.clock, {
    onEnd: () => transfer.end(),
    onFailure: (error) => noteBreak(requestContext, error),
  });
}

/** Logs an error that ended a body: its status is sent already. */
function noteBreak({ log, requestId, route }: RequestContext, error: unknown): void {
  log.error({ request_id: requestId, route, error: String(error) }, "an answer broke off");
}

/**
 * Returns a stream that counts among the current answers until its end; its bytes are not in memory. Cancels the stream and
 * throws 503 when there are too many, except for the answer to a change.
 */
export function countedStream(
  requestContext: RequestContext,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const transfer = beginTransfer(requestContext, () => void reader.cancel().catch(() => {}));
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) transfer.end();
    hasEnded = true;
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          if (!requestContext.request.signal.aborted) noteBreak(requestContext, error);
          end();
          throw error;
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Counts an answer. Calls `giveUp` and throws 503 when there are too many, except for the answer to a change. */
function beginTransfer(requestContext: RequestContext, giveUp = () => {}): Transfer {
  const { method } = requestContext.request;
  const isRead = method === "GET" || method === "HEAD";
  try {
    return requestContext.load.answers.begin(receiverOf(requestContext), isRead);
  } catch (error) {
    giveUp();
    throw error;
  }
}

function receiverOf(requestContext: RequestContext): Peer {
  const { userId } = requestContext;
  const address = requestContext.ipAddress();
  return { address: address === null ? undefined : networkOf(address), isStranger: userId === undefined, userId };
}

interface Following {
  /** Called once: the body was sent, the client disconnected or was too slow, or an error ended the body. */
  readonly onEnd: () => void;
  /** Called before `onEnd`, with the error that ended the body. */
  readonly onFailure: (error: unknown) => void;
}

/** Streams the pieces. Makes each one after the client has received the one before, with pauses for other work. */
export function streamPieces(
  pieces: Iterator<Uint8Array<ArrayBuffer>>,
  clock: Clock,
  { onEnd, onFailure }: Following,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let rest: Iterator<Uint8Array<ArrayBuffer>> | undefined = pieces;
  const end = () => {
    if (rest === undefined) return;
    rest = undefined;
    pace.stop();
    onEnd();
  };
  const pace = new TransferPace(clock, end, takingPace);
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        pace.pause();
        await yieldToOthers();
        // The error makes the runtime close the connection.
        if (pace.isLate) throw new Error("the client took its answer too slowly");
        if (rest === undefined) return;
        try {
          const { value: piece, done } = rest.next();
          if (done === true) {
            end();
            return controller.close();
          }
          controller.enqueue(piece);
          pace.moved(piece.length);
          pace.resume();
        } catch (error) {
          onFailure(error);
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
