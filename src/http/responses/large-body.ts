import { piecesOf } from "../../lib/byte-pieces.ts";
import { networkOf } from "../../lib/ip-address.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import type { Exchange } from "../entry/request-context.ts";
import { load, type Peer, type Transfer } from "../limits/admission.ts";
import { LargeJson, pieceBytes } from "./json-stream.ts";

/** Bodies beyond this many bytes are sent in pieces and count as long as they are on their way. */
export const smallBodyBytesMax = 256 * 1024;

/** The weight of a JSON body that is made while it is sent: its value is in memory, mostly as texts of the store. */
const jsonWeightMax = 64 * 1024 * 1024;

/** A body that is in memory. */
export type BodyInMemory = string | Uint8Array<ArrayBuffer> | LargeJson;

/**
 * Returns a large body in pieces that are sent as the client takes them, and a small one as it is. An error that breaks the
 * body off is logged: the client already has the status. Throws 503 when too much is being sent already, except for the
 * answer to a change that is made: a client would make it again.
 */
export function sendable(
  exchange: Exchange,
  body: BodyInMemory,
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (!(body instanceof LargeJson) && body.length <= smallBodyBytesMax) return body;
  const transfer = beginTransfer(exchange);
  try {
    transfer.add(body instanceof LargeJson ? body.length(jsonWeightMax) : body.length);
  } catch (error) {
    transfer.end();
    throw error;
  }
  const { log, requestId, route } = exchange;
  return streamPieces(
    body instanceof LargeJson
      ? body.pieces()
      : piecesOf(typeof body === "string" ? Buffer.from(body) : body, pieceBytes),
    () => transfer.end(),
    (error) => log.error({ request_id: requestId, route, error: String(error) }, "an answer broke off"),
  );
}

/**
 * A stream that takes a place among the answers that are sent, until its end; its bytes are not in memory. Throws 503 where
 * too many are sent already, and cancels the stream then; not for the answer to a change.
 */
export function countedStream(
  exchange: Exchange,
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const transfer = beginTransfer(exchange, () => void reader.cancel().catch(() => {}));
  let isOver = false;
  const end = () => {
    if (!isOver) transfer.end();
    isOver = true;
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
function beginTransfer(exchange: Exchange, giveUp = () => {}): Transfer {
  const { method } = exchange.request;
  const isRead = method === "GET" || method === "HEAD";
  try {
    return load.answers.begin(receiverOf(exchange), isRead);
  } catch (error) {
    giveUp();
    throw error;
  }
}

function receiverOf({ ipAddress, userId }: Exchange): Peer {
  const address = ipAddress();
  return { address: address === null ? undefined : networkOf(address), isStranger: userId === undefined };
}

/**
 * Each piece is made when the one before was taken, after others had their turn. `onEnd` is called once, whether the body
 * was sent, was given up by the client, or broke off by an error, which `onFailure` is told before.
 */
export function streamPieces(
  pieces: Iterator<Uint8Array<ArrayBuffer>>,
  onEnd: () => void,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  const end = () => {
    if (!isOver) onEnd();
    isOver = true;
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        await yieldToOthers();
        if (isOver) return;
        try {
          const { value: piece, done } = pieces.next();
          if (done !== true) return controller.enqueue(piece);
          end();
          controller.close();
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
