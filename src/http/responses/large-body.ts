import { networkOf } from "../../lib/ip-address.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import type { Exchange } from "../entry/request-context.ts";
import { load, type Peer } from "../limits/admission.ts";
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
  const { method } = exchange.request;
  const isRead = method === "GET" || method === "HEAD";
  const transfer = load.answers.begin(receiverOf(exchange), isRead);
  try {
    transfer.add(body instanceof LargeJson ? body.length(jsonWeightMax) : body.length);
  } catch (error) {
    transfer.end();
    throw error;
  }
  const { log, requestId, route } = exchange;
  return streamPieces(
    body instanceof LargeJson ? body.pieces() : piecesOf(body),
    () => transfer.end(),
    (error) => log.error({ request_id: requestId, route, error: String(error) }, "an answer broke off"),
  );
}

function receiverOf({ ipAddress, userId }: Exchange): Peer {
  const address = ipAddress();
  return { address: address === null ? undefined : networkOf(address), isStranger: userId === undefined };
}

function* piecesOf(body: string | Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
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
