/** A thread that makes and checks packs, and compares trees: unpacking and hashing would block the event loop of the server. */

import { Failure } from "../../domain/failure.ts";
import { ObjectStore } from "../packing/object-store.ts";
import { ProtocolError } from "../transport/pkt-line.ts";
import { capabilities2, fetchAdvertisement, pushAdvertisement, RefList } from "./advertisement.ts";
import { answerInThread } from "./computing.ts";
import { answerFetch, ToldError } from "./fetch.ts";
import { type FromThread, type Order, piecesAhead, type StreamOrder, type ToThread } from "./messages.ts";
import { receive } from "./receive.ts";
import { repack } from "./repack.ts";

declare const self: Worker;

const post = (message: FromThread, transfer: ArrayBuffer[] = []) => self.postMessage(message, transfer);

let ahead = 0;
let onTaken: (() => void) | undefined;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "taken") {
    ahead -= 1;
    onTaken?.();
    return;
  }
  ahead = 0;
  void run(data.order).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", message, failure: failureOf(error) });
  });
};

/** The refusal that the client gets; undefined for what went wrong here. */
function failureOf(error: unknown) {
  if (error instanceof Failure) return { kind: error.kind, body: error.body };
  if (error instanceof ToldError) return "told" as const;
  return error instanceof ProtocolError ? ("protocol" as const) : undefined;
}

async function run(order: Order): Promise<void> {
  if (order.kind === "receive") return post({ kind: "done", result: await receive(order) });
  if (order.kind === "repack") return post({ kind: "done", result: await repack(order) });
  if (order.kind === "compute") return post({ kind: "done", result: await answerInThread(order.question) });
  for await (const piece of gathered(piecesFor(order))) {
    post({ kind: "piece", piece }, [piece.buffer]);
    ahead += 1;
    while (ahead >= piecesAhead) {
      const taken = Promise.withResolvers<void>();
      onTaken = taken.resolve;
      await taken.promise;
    }
  }
  post({ kind: "done", result: undefined });
}

async function* piecesFor(order: StreamOrder): AsyncGenerator<Uint8Array> {
  if (order.kind === "fetch") yield* answerFetch(order.folder, order.body, order.isVersion2);
  else if (order.service === "fetch" && order.version === 2) yield capabilities2(order.agent);
  else {
    using store = new ObjectStore(order.folder);
    const refs = await RefList.read(store);
    yield order.service === "push"
      ? pushAdvertisement(refs, order.agent)
      : fetchAdvertisement(refs, order.version === 1 ? 1 : 0, order.agent);
  }
}

const pieceBytes = 256 << 10;
/** Pieces of so many bytes that have memory of their own are sent as they are. */
const wholeBytesMin = 128 << 10;

/** Joins small pieces. Each has memory of its own, which goes to the other thread. */
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  const join = () => {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const each of waiting) {
      whole.set(each, at);
      at += each.length;
    }
    waiting = [];
    length = 0;
    return whole;
  };
  try {
    for await (const piece of pieces) {
      if (piece.length === piece.buffer.byteLength && piece.length >= wholeBytesMin) {
        if (length > 0) yield join();
        yield piece as Uint8Array<ArrayBuffer>;
        continue;
      }
      waiting.push(piece);
      length += piece.length;
      if (length >= pieceBytes) yield join();
    }
  } catch (error) {
    if (error instanceof ToldError) yield join();
    throw error;
  }
  if (length > 0) yield join();
}
