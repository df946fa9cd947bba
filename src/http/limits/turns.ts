import { yieldToOthers } from "../../lib/yield.ts";

/** The time for requests in one turn of the event loop. Others wait for a later turn. */
const usualTurnMsMax = 25;
/** The number of waiting requests that start in one turn. */
const begunMax = 16;
/** The time for which a sender has low priority after a request that took a whole turn. */
const behindMs = 1_000;
/** One of this many started requests may be of a sender with low priority. */
const startsPerHeavyStart = 8;
/** The most senders with low priority. */
const heavyMax = 1_000;

/**
 * Spreads the work of simultaneous requests over several turns of the event loop, so that new requests are read in between.
 * A new request runs at once if the turn has time left. Waiting requests run one per sender at a time. Senders whose
 * requests take a whole turn have low priority.
 */
export class Turns {
  readonly #now: () => number;
  readonly #turnMsMax: number;
  /** Senders with low priority, and until when. */
  readonly #heavy = new Map<string, number>();
  #starts = 0;
  /** Waiting requests by sender. The next sender is first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #startMs = 0;
  #isPlanned = false;

  constructor({ now = () => performance.now(), turnMsMax = usualTurnMsMax } = {}) {
    this.#now = now;
    this.#turnMsMax = turnMsMax;
  }

  /** Returns the result of `work`, as a promise when it must wait for a later turn. Calls `senderOf` only then. */
  run<R>(work: () => R | Promise<R>, senderOf = () => ""): R | Promise<R> {
    const now = this.#now();
    if (!this.#isPlanned) this.#begin(now);
    const isInTime = now - this.#startMs < this.#turnMsMax;
    if (isInTime && !this.#goesBehind(senderOf)) return this.#timed(work, senderOf, now);
    return new Promise<R>((resolve, reject) => {
      const sender = senderOf();
      this.#add(sender, () => {
        try {
          resolve(this.#timed(work, () => sender, this.#now()));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Waits for a later turn with time left. */
  async next(senderOf: () => string): Promise<void> {
    await yieldToOthers();
    await this.run(() => undefined, senderOf);
  }

  /** True when senders with higher priority wait. */
  #goesBehind(senderOf: () => string): boolean {
    if (this.#heavy.size === 0 || this.#waiting.size === 0) return false;
    const sender = senderOf();
    return this.#waiting.size > (this.#waiting.has(sender) ? 1 : 0) && this.#isHeavy(sender);
  }

  #timed<R>(work: () => R, senderOf: () => string, startMs: number): R {
    try {
      return work();
    } finally {
      const endMs = this.#now();
      if (endMs - startMs >= this.#turnMsMax) this.#noteHeavy(senderOf(), endMs + behindMs);
    }
  }

  #noteHeavy(sender: string, untilMs: number): void {
    this.#heavy.delete(sender);
    if (this.#heavy.size >= heavyMax) this.#heavy.delete(this.#heavy.keys().next().value as string);
    this.#heavy.set(sender, untilMs);
  }

  #isHeavy(sender: string): boolean {
    const untilMs = this.#heavy.get(sender);
    if (untilMs === undefined) return false;
    if (this.#now() < untilMs) return true;
    this.#heavy.delete(sender);
    return false;
  }

  /** Begins a turn for new requests. */
  #begin(now: number): void {
    this.#startMs = now;
    this.#isPlanned = true;
    setImmediate(() => this.#end());
  }

  /** Starts waiting requests. Each starts in its own callback, so that its work after a resolved promise counts for it. */
  #end(): void {
    this.#isPlanned = false;
    if (this.#waiting.size === 0) return;
    let startMs: number | undefined;
    for (let count = 0; count < begunMax; count += 1) {
      setImmediate(() => {
        startMs ??= this.#now();
        if (this.#now() - startMs < this.#turnMsMax) this.#next()?.();
      });
    }
    this.#begin(this.#now());
  }

  #add(sender: string, begin: () => void): void {
    const own = this.#waiting.get(sender);
    if (own === undefined) this.#waiting.set(sender, [begin]);
    else own.push(begin);
  }

  #next(): (() => void) | undefined {
    const sender = this.#nextSender();
    const own = sender === undefined ? undefined : this.#waiting.get(sender);
    if (sender === undefined || own === undefined) return undefined;
    this.#waiting.delete(sender);
    const begin = own.shift();
    if (own.length > 0) this.#waiting.set(sender, own);
    return begin;
  }

  #nextSender(): string | undefined {
    const [first] = this.#waiting.keys();
    this.#starts += 1;
    if (this.#heavy.size === 0 || this.#starts % startsPerHeavyStart === 0) return first;
    for (const sender of this.#waiting.keys()) if (!this.#isHeavy(sender)) return sender;
    return first;
  }
}
