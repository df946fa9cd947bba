import { availableParallelism } from "node:os";
import { unavailable } from "../../domain/failure.ts";
import { ProtocolError } from "../transport/pkt-line.ts";
import { type FromThread, type Order, piecesAhead, type StreamOrder, type ToThread } from "./messages.ts";
import type { Received, ReceiveOrder } from "./receive.ts";
import type { Repacked, RepackOrder } from "./repack.ts";

/** Threads that nobody needs end after this long. */
const idleMs = 30_000;
/** An order waits at most this long for a thread. */
const waitMsMax = 30_000;

/** A thread, and the work that it does. */
interface Thread {
  readonly worker: Worker;
  onMessage: (message: FromThread) => void;
  onFailure: (error: Error) => void;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
}

/** The threads that make and check packs. Each does one thing at a time. */
export class PackThreads {
  readonly #program: URL;
  readonly #threadsMax = Math.max(2, availableParallelism());
  readonly #idle: Thread[] = [];
  readonly #waiting: ((thread: Thread) => void)[] = [];
  #running = 0;

  /** `program` is `worker.ts`: in the executable, only its entry point knows the paths of files. */
  constructor(program: URL) {
    this.#program = program;
  }

  /** Checks a received pack. Throws what went wrong, and at once when `signal` is aborted. */
  receive(order: ReceiveOrder, signal: AbortSignal): Promise<Received> {
    return this.#work({ kind: "receive", ...order }, signal) as Promise<Received>;
  }

  /** Joins packs. Throws as `receive`. */
  repack(order: RepackOrder, signal: AbortSignal): Promise<Repacked> {
    return this.#work({ kind: "repack", ...order }, signal) as Promise<Repacked>;
  }

  async #work(order: Exclude<Order, StreamOrder>, signal: AbortSignal): Promise<Received | Repacked> {
    const thread = await this.#take(signal);
    const result = Promise.withResolvers<Received | Repacked>();
    const abort = () => result.reject(signal.reason);
    signal.addEventListener("abort", abort);
    thread.onFailure = result.reject;
    thread.onMessage = (message) => {
      if (message.kind === "failed") result.reject(new Error(message.message));
      else if (message.kind === "done" && message.result !== undefined) result.resolve(message.result);
    };
    let isDone = false;
    try {
      send(thread, { kind: "order", order });
      const done = await result.promise;
      isDone = true;
      return done;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#release(thread, isDone);
    }
  }

  /**
   * The answer to a client that fetches or asks for refs, in pieces that are made as they are taken. Resolves with the first piece
   * at hand, so that a bad request can still be refused: throws `ProtocolError`. `onEnd` is called once, when no more of the
   * repository is read.
   */
  async stream(
    order: StreamOrder,
    signal: AbortSignal,
    onEnd: () => void,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const thread = await this.#take(signal);
    const answer = new PieceQueue(() => send(thread, { kind: "taken" }));
    let isOver = false;
    const end = (isReusable: boolean, error?: Error) => {
      if (isOver) return;
      isOver = true;
      signal.removeEventListener("abort", abort);
      this.#release(thread, isReusable);
      answer.close(error);
      onEnd();
    };
    const abort = () => end(false, new Error("the client is gone"));
    signal.addEventListener("abort", abort);
    thread.onFailure = (error) => end(false, error);
    thread.onMessage = (message) => {
      if (message.kind === "piece") answer.add(message.piece as Uint8Array<ArrayBuffer>);
      else if (message.kind === "done") end(true);
      else end(true, message.isRequest ? new ProtocolError(message.message) : new Error(message.message));
    };
    send(thread, { kind: "order", order });
    const first = await answer.next();
    const rest = first === undefined ? [] : [first];
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          const piece = rest.shift() ?? (await answer.next());
          if (piece === undefined) controller.close();
          else controller.enqueue(piece);
        },
        cancel: () => end(false),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends all threads. */
  stop(): void {
    for (const thread of this.#idle.splice(0)) this.#end(thread);
  }

  async #take(signal: AbortSignal): Promise<Thread> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.idleTimer);
      return idle;
    }
    if (this.#running < this.#threadsMax) return this.#start();
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<Thread> {
    const turn = Promise.withResolvers<Thread>();
    this.#waiting.push(turn.resolve);
    const leave = (reason: unknown) => {
      const at = this.#waiting.indexOf(turn.resolve);
      if (at !== -1) this.#waiting.splice(at, 1);
      turn.reject(reason);
    };
    const timer = setTimeout(() => leave(unavailable(new Error("all threads make packs"))), waitMsMax);
    const abort = () => leave(signal.reason);
    signal.addEventListener("abort", abort);
    return turn.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
  }

  #start(): Thread {
    this.#running += 1;
    const worker = new Worker(this.#program);
    const thread: Thread = { worker, onMessage: () => {}, onFailure: () => {}, idleTimer: undefined };
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => thread.onMessage(data);
    worker.onerror = ({ message }) => thread.onFailure(new Error(`a thread that makes packs failed: ${message}`));
    return thread;
  }

  #release(thread: Thread, isReusable: boolean): void {
    thread.onMessage = () => {};
    thread.onFailure = () => {};
    if (!isReusable) {
      this.#end(thread);
      const next = this.#waiting.shift();
      if (next !== undefined) next(this.#start());
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(thread);
      return;
    }
    this.#idle.push(thread);
    thread.idleTimer = setTimeout(() => {
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#end(this.#idle.splice(at, 1)[0] as Thread);
    }, idleMs);
    thread.idleTimer.unref();
  }

  #end(thread: Thread): void {
    clearTimeout(thread.idleTimer);
    this.#running -= 1;
    thread.worker.terminate();
  }
}

function send(thread: Thread, message: ToThread): void {
  thread.worker.postMessage(message);
}

/** Pieces that wait for their reader; at most `piecesAhead` of them. */
class PieceQueue {
  readonly #onTaken: () => void;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #wake: () => void = () => {};
  #isClosed = false;
  #error: Error | undefined;

  constructor(onTaken: () => void) {
    this.#onTaken = onTaken;
  }

  add(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#pieces.push(piece) > piecesAhead) throw new Error("a thread makes pieces that nobody takes");
    this.#wake();
  }

  close(error: Error | undefined): void {
    this.#isClosed = true;
    this.#error = error;
    this.#wake();
  }

  /** undefined at the end. Throws the error that broke the answer off. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (this.#pieces.length === 0) {
      if (this.#error !== undefined) throw this.#error;
      if (this.#isClosed) return undefined;
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      await woken.promise;
    }
    const piece = this.#pieces.shift();
    if (!this.#isClosed) this.#onTaken();
    return piece;
  }
}
