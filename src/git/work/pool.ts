import { availableParallelism } from "node:os";
import { Failure, unavailable } from "../../domain/failure.ts";
import { streamOf } from "../../lib/byte-pieces.ts";
import { ProtocolError } from "../transport/pkt-line.ts";
import type { Answer, QuestionOrder } from "./computing.ts";
import { Line } from "./line.ts";
import type { FromThread, Order, Result, StreamOrder, ToThread } from "./messages.ts";
import { type OpenSpool, PieceQueue } from "./piece-queue.ts";
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
  owner: string;
}

/** An order that waits for a thread. */
interface Waiting {
  readonly owner: string;
  readonly resolve: (thread: Thread) => void;
}

/** How an answer comes to its client. */
export interface Delivery {
  /** A user, or all strangers: one of them never has all threads. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly openSpool: OpenSpool;
  /** Called with an error of which the answer tells the client. */
  readonly onTold: (error: Error) => void;
  readonly onEnd: () => void;
  readonly onDelivered: () => void;
}

/** Threads that work on repositories. Each does one thing at a time. */
export class PackThreads {
  readonly #program: URL;
  readonly #threadsMax = Math.max(3, availableParallelism());
  readonly #idle: Thread[] = [];
  readonly #waiting = new Line<Waiting>();
  /** Threads by their owners. */
  readonly #held = new Map<string, number>();
  #running = 0;

  /** `program` is `worker.ts`: in the executable, only its entry point knows the paths of files. */
  constructor(program: URL) {
    this.#program = program;
  }

  /** Checks a received pack. Throws what went wrong, and at once when `signal` is aborted. */
  receive(order: ReceiveOrder, owner: string, signal: AbortSignal): Promise<Received> {
    return this.#work({ kind: "receive", ...order }, owner, signal) as Promise<Received>;
  }

  /** Joins packs. Throws as `receive`. */
  repack(order: RepackOrder, signal: AbortSignal): Promise<Repacked> {
    return this.#work({ kind: "repack", ...order }, "server", signal) as Promise<Repacked>;
  }

  /** Answers a question. Throws as `receive`. */
  compute(question: QuestionOrder, owner: string, signal: AbortSignal): Promise<Answer> {
    return this.#work({ kind: "compute", question }, owner, signal) as Promise<Answer>;
  }

  async #work(order: Exclude<Order, StreamOrder>, owner: string, signal: AbortSignal): Promise<Result> {
    const thread = await this.#take(owner, signal);
    const result = Promise.withResolvers<Result>();
    const abort = () => result.reject(signal.reason);
    signal.addEventListener("abort", abort);
    thread.onFailure = result.reject;
    thread.onMessage = (message) => {
      if (message.kind === "failed") result.reject(errorOf(message));
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
   * The answer to a client that fetches or asks for refs, in pieces. Resolves with the first piece at hand, so that a bad request can
   * still be refused: throws `ProtocolError`. `onEnd` is called once, when no more of the repository is read, and `onDelivered` once,
   * when the client has all of it or is gone.
   */
  async stream(
    order: StreamOrder,
    { owner, signal, openSpool, onTold, onEnd, onDelivered }: Delivery,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const thread = await this.#take(owner, signal);
    const answer = new PieceQueue(openSpool, () => {
      if (!isOver) send(thread, { kind: "taken" });
    });
    let isOver = false;
    let isDelivered = false;
    const end = (isReusable: boolean) => {
      if (isOver) return;
      isOver = true;
      this.#release(thread, isReusable);
      onEnd();
    };
    const deliver = () => {
      if (isDelivered) return;
      isDelivered = true;
      signal.removeEventListener("abort", abort);
      end(false);
      void answer.dispose().finally(onDelivered);
    };
    const abort = () => {
      answer.fail(new Error("the client is gone"));
      deliver();
    };
    signal.addEventListener("abort", abort);
    const fail = (isReusable: boolean, error: Error) => {
      answer.fail(error);
      end(isReusable);
    };
    thread.onFailure = (error) => fail(false, error);
    thread.onMessage = (message) => {
      if (message.kind === "piece") answer.add(message.piece as Uint8Array<ArrayBuffer>);
      else if (message.kind === "done") {
        answer.close();
        end(true);
      } else if (message.failure === "told") {
        answer.close();
        onTold(errorOf(message));
        end(true);
      } else fail(true, errorOf(message));
    };
    send(thread, { kind: "order", order });
    const next = async () => {
      try {
        const piece = await answer.next();
        if (piece === undefined) deliver();
        return piece;
      } catch (error) {
        deliver();
        throw error;
      }
    };
    const first = await next();
    const rest = first === undefined ? [] : [first];
    return streamOf(async () => rest.shift() ?? (isDelivered ? undefined : next()), deliver);
  }

  async #take(owner: string, signal: AbortSignal): Promise<Thread> {
    signal.throwIfAborted();
    const thread = this.#isAllowed(owner) ? this.#free() : undefined;
    return thread === undefined ? this.#wait(owner, signal) : this.#assign(thread, owner);
  }

  /** One owner never has all threads. */
  #isAllowed(owner: string): boolean {
    return (this.#held.get(owner) ?? 0) < this.#threadsMax - 1;
  }

  #assign(thread: Thread, owner: string): Thread {
    thread.owner = owner;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    return thread;
  }

  #free(): Thread | undefined {
    const idle = this.#idle.pop();
    clearTimeout(idle?.idleTimer);
    return idle ?? (this.#running < this.#threadsMax ? this.#start() : undefined);
  }

  #wait(owner: string, signal: AbortSignal): Promise<Thread> {
    const turn = Promise.withResolvers<Thread>();
    const waiting: Waiting = { owner, resolve: turn.resolve };
    this.#waiting.add(waiting);
    const leave = (reason: unknown) => {
      this.#waiting.remove(waiting);
      turn.reject(reason);
    };
    const timer = setTimeout(() => leave(unavailable(new Error("all threads are busy"))), waitMsMax);
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
    const thread: Thread = { worker, onMessage: () => {}, onFailure: () => {}, idleTimer: undefined, owner: "" };
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => thread.onMessage(data);
    worker.onerror = ({ message }) =>
      thread.onFailure(new Error(`a thread that works on repositories failed: ${message}`));
    return thread;
  }

  #release(thread: Thread, isReusable: boolean): void {
    thread.onMessage = () => {};
    thread.onFailure = () => {};
    const held = (this.#held.get(thread.owner) ?? 1) - 1;
    if (held > 0) this.#held.set(thread.owner, held);
    else this.#held.delete(thread.owner);
    if (isReusable) this.#rest(thread);
    else this.#end(thread);
    this.#serveWaiting();
  }

  #serveWaiting(): void {
    const isAllowed = (owner: string) => this.#isAllowed(owner);
    while (this.#waiting.has(isAllowed)) {
      const thread = this.#free();
      if (thread === undefined) return;
      const next = this.#waiting.next(isAllowed) as Waiting;
      next.resolve(this.#assign(thread, next.owner));
    }
  }

  #rest(thread: Thread): void {
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

function errorOf({ message, failure }: FromThread & { readonly kind: "failed" }): Error {
  if (failure === undefined || failure === "told") return new Error(message);
  return failure === "protocol" ? new ProtocolError(message) : new Failure(failure.kind, failure.body);
}

function send(thread: Thread, message: ToThread): void {
  thread.worker.postMessage(message);
}
