import type { Clock } from "../../domain/clock.ts";

/** Limits on how slowly a client may send or take a body. */
export interface PaceLimits {
  /** The time that any body may take, however small it is. */
  readonly graceMs: number;
  /** Bytes that extend the time by one second. */
  readonly bytesPerSecond: number;
  /** No body has more time than this before it, however much of it has come. */
  readonly aheadMs: number;
}

/**
 * Bodies of requests have ten seconds, and go on as long as 16 KiB come in a second. The runtime closes slower connections without
 * an answer, but only after half a minute.
 */
export const sendingPace: PaceLimits = { graceMs: 10_000, bytesPerSecond: 16 * 1024, aheadMs: 60_000 };

/** Bodies of answers that memory holds meanwhile. A client that takes nothing at all is cut off before by the idle timeout. */
export const takingPace: PaceLimits = { graceMs: 30_000, bytesPerSecond: 16 * 1024, aheadMs: 60_000 };

/** The deadline is looked at this often at most. */
const lookMs = 1000;

/** The time that a client has for a body. It calls `onLate` once when that has passed, unless it is stopped before. */
export class TransferPace {
  readonly #clock: Clock;
  readonly #limits: PaceLimits;
  readonly #onLate: () => void;
  #deadline: number;
  /** The time since which the client waits for the server. */
  #pausedAt: number | undefined;
  #stopTimer: () => void;
  #isLate = false;
  #isLimited = false;

  constructor(clock: Clock, onLate: () => void, limits: PaceLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onLate = onLate;
    this.#deadline = clock.now() + limits.graceMs;
    this.#stopTimer = this.#wait(limits.graceMs);
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** Notes bytes that the client sent or took. */
  moved(bytes: number): void {
    if (this.#isLimited) return;
    const { bytesPerSecond, aheadMs } = this.#limits;
    const more = this.#deadline + (bytes / bytesPerSecond) * 1000;
    this.#deadline = Math.min(more, this.#clock.now() + aheadMs);
  }

  /** Gives the client no more than this time from now on, however much it sends or takes. */
  limit(ms: number): void {
    this.#isLimited = true;
    this.#deadline = Math.min(this.#deadline, this.#clock.now() + ms);
    this.#stopTimer();
    this.#stopTimer = this.#wait(ms);
  }

  /** Stops the client's time until `resume`: it waits for the server. */
  pause(): void {
    this.#pausedAt = this.#clock.now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#deadline += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Bytes only move the deadline: a timer for each piece would cost more than the piece. */
  #wait(ms: number): () => void {
    return this.#clock.after(ms, () => {
      const left = this.#deadline - (this.#pausedAt ?? this.#clock.now());
      if (left > 0) {
        this.#stopTimer = this.#wait(Math.max(left, lookMs));
        return;
      }
      this.#isLate = true;
      this.#onLate();
    });
  }
}
