import type { Clock } from "../../domain/clock.ts";
import { piecesOf } from "../../lib/byte-pieces.ts";
import { networkOf } from "../../lib/ip-address.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import type { Peer, Transfer } from "../../modules/kernel/request-load.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { TransferPace, takingPace } from "../limits/transfer-pace.ts";
import { LargeJson, pieceBytes, smallBytesMax } from "./json-stream.ts";

/** The most that the texts of a JSON body count while it is made and sent: the store holds most of the large ones. */
const textWeightMax = 16 * 1024 * 1024;

/** A body that is in memory. */
export type BodyInMemory = string | Uint8Array<ArrayBuffer> | LargeJson;

/**
 * Returns a large body in pieces that are sent as the client takes them, and a small one as it is. Pieces count as long as they
 * are on their way. An error that breaks the body off is logged: the client already has the status. A client that takes it too
 * slowly is cut off. Throws 503 when too much is being sent already, except for the answer to a change that is made: a client
 * would make it again.
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
  const { clock, log, requestId, route } = requestContext;
  return streamPieces(pieces, clock, {
    onEnd: () => transfer.end(),
    onFailure: (error) => log.error({ request_id: requestId, route, error: String(error) }, "an answer broke off"),
  });
}

/**
 * A stream that takes a place among the answers that are sent, until its end; its bytes are not in memory. Throws 503 where
 * too many are sent already, and cancels the stream then; not for the answer to a change.
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

/** Calls `giveUp` and throws 503 where too many answers are being sent; that to a change is not refused. */
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
  /** Called once: the body was sent, was given up by the client, was taken too slowly, or broke off by an error. */
  readonly onEnd: () => void;
  /** Called with the error that broke the body off, before `onEnd`. */
  readonly onFailure: (error: unknown) => void;
}

/** Makes each piece when the client has taken the one before, after others had their turn. */
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
        // An error makes the runtime close the connection.
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
