/** Sends live figures to those who listen; without a listener it does nothing. */

import { unavailable } from "../../../domain/failure.ts";
import { listJobs, presentJob } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { presentRecentRequest, RecentRequests } from "../recent-requests/index.ts";
import { FiguresReader, periodMs } from "./figures.ts";

/** The most listeners at one time. */
export const listenersMax = 20;
/** A listener with so many bytes that it has not read is closed. */
const unreadBytesMax = 256 * 1024;
const tickMs = 1_000;
/** Proxies close connections that are silent; the credential is looked at again as often. */
const aliveMs = 15_000;
const jobsMax = 20;
const newRequestsMax = 100;

/** The topics of a client, and the time for which it listens. */
export interface Subscription {
  readonly wantsRequests: boolean;
  /** undefined: until the client goes. */
  readonly seconds: number | undefined;
  /** Throws when the credential is no longer good. */
  readonly confirm: () => void;
}

interface Listener extends Subscription {
  readonly controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  /** Ticks that it has heard. */
  ticks: number;
}

/** Makes events while somebody listens. */
export class EventFeed {
  readonly #context: Context;
  readonly #listeners = new Set<Listener>();
  #figures: FiguresReader | undefined;
  #stopTimer = () => {};
  #ticks = 0;
  #lastRequest = 0;
  #lastJobs = "";
  #isClosed = false;

  constructor(context: Context) {
    this.#context = context;
    context.sandbox?.gate.onClosing(() => this.#endAll());
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** A stream of server-sent events. Throws 503 when there are too many listeners, and once the server stops. */
  open(subscription: Subscription): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (this.#isClosed || this.#listeners.size >= listenersMax) throw unavailable();
    let listener: Listener | undefined;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          // Clients learn at once that they are connected, and come back after a second when they lose the connection.
          controller.enqueue(encode("retry: 1000\n\n"));
          if (subscription.seconds === 0) return controller.close();
          listener = { ...subscription, controller, ticks: 0 };
          if (this.#listeners.size === 0) this.#begin();
          this.#listeners.add(listener);
          this.#lastJobs = "";
        },
        cancel: () => this.#remove(listener),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: unreadBytesMax }),
    );
  }

  /** The server stops: ends all streams, and takes no other listener. */
  close(): void {
    this.#isClosed = true;
    this.#endAll();
  }

  #endAll(): void {
    for (const listener of [...this.#listeners]) this.#end(listener);
  }

  #begin(): void {
    const ring = this.#context.get(RecentRequests);
    this.#figures = new FiguresReader(ring, this.#clock.now());
    this.#lastRequest = ring.last;
    this.#ticks = 0;
    this.#wait();
  }

  #wait(): void {
    this.#stopTimer = this.#clock.after(tickMs, () => this.#tick());
  }

  /** How long a connection is silent follows the system's clock. */
  get #clock() {
    return this.#context.sandbox?.clock.real ?? this.#context.clock;
  }

  #tick(): void {
    this.#ticks += 1;
    const elapsedMs = this.#ticks * tickMs;
    this.#sendRequests();
    if (elapsedMs % periodMs === 0) {
      this.#send("figures", this.#figures?.read(this.#clock.now()));
      this.#sendJobs();
    }
    if (elapsedMs % aliveMs === 0) this.#keepAlive();
    for (const listener of [...this.#listeners]) {
      listener.ticks += 1;
      if (listener.ticks === listener.seconds) this.#end(listener);
    }
    if (this.#listeners.size > 0) this.#wait();
  }

  #sendRequests(): void {
    const ring = this.#context.get(RecentRequests);
    const before = this.#lastRequest;
    this.#lastRequest = ring.last;
    if (ring.last === before || ![...this.#listeners].some(({ wantsRequests }) => wantsRequests)) return;
    const requests = [];
    for (const entry of ring.entries()) {
      if (entry.id <= before || requests.length === newRequestsMax) break;
      requests.push(presentRecentRequest(entry, { context: this.#context }));
    }
    this.#send("requests", requests, ({ wantsRequests }) => wantsRequests);
  }

  #sendJobs(): void {
    const page = { kind: "offset", page: 1, perPage: jobsMax } as const;
    const jobs = listJobs(this.#context.store, {}, page).items.map(presentJob);
    const text = JSON.stringify(jobs);
    if (text !== this.#lastJobs) this.#send("jobs", jobs);
    this.#lastJobs = text;
  }

  #keepAlive(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.confirm();
        this.#write(listener, encode(": alive\n\n"));
      } catch {
        // The token was revoked or the session has ended: the next request of the client gets 401.
        this.#end(listener);
      }
    }
  }

  #send(event: string, value: unknown, isFor: (listener: Listener) => boolean = () => true): void {
    const bytes = encode(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
    for (const listener of [...this.#listeners]) if (isFor(listener)) this.#write(listener, bytes);
  }

  #write(listener: Listener, bytes: Uint8Array<ArrayBuffer>): void {
    if ((listener.controller.desiredSize ?? 0) < bytes.length) this.#end(listener);
    else listener.controller.enqueue(bytes);
  }

  /** Unread events would keep the connection open: it breaks off then. */
  #end(listener: Listener): void {
    this.#remove(listener);
    const { controller } = listener;
    if ((controller.desiredSize ?? 0) < unreadBytesMax) controller.error(new Error("the listener does not read"));
    else controller.close();
  }

  #remove(listener: Listener | undefined): void {
    if (listener === undefined || !this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#stopTimer();
    this.#figures = undefined;
  }
}

export const LiveFeed = serviceKey("live-feed", (context) => new EventFeed(context));

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
