import type { Clock } from "../../domain/clock.ts";

/** The slowest allowed transfer of a body. */
export interface PaceLimits {
  /** The time for any body, however small. */
  readonly graceMs: number;
  /** The bytes that extend the time by one second. */
  readonly bytesPerSecond: number;
  /** The longest remaining time, however many bytes came already. */
  readonly aheadMs: number;
}

/**
 * For bodies of requests: ten seconds, extended while 16 KiB come per second. The runtime closes slower connections without
 * an answer, but only after half a minute.
 */
export const sendingPace: PaceLimits = { graceMs: 10_000, bytesPerSecond: 16 * 1024, aheadMs: 60_000 };

/**
 * For bodies of answers, which are in memory meanwhile. The idle timeout disconnects a client that receives nothing at all.
 */
export const takingPace: PaceLimits = { graceMs: 30_000, bytesPerSecond: 16 * 1024, aheadMs: 60_000 };

/** The shortest time between two checks of the deadline. */
const lookMs = 1000;

/** The time limit of one transfer. It calls `onLate` once when the time is over, unless it is stopped before. */
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

  /** Notes bytes that the client sent or received. */
  moved(bytes: number): void {
    if (this.#isLimited) return;
    const { bytesPerSecond, aheadMs } = this.#limits;
    const more = this.#deadline + (bytes / bytesPerSecond) * 1000;
    this.#deadline = Math.min(more, this.#clock.now() + aheadMs);
  }

  /** Limits the remaining time, whatever the client sends or receives. */
  limit(ms: number): void {
    this.#isLimited = true;
    this.#deadline = Math.min(this.#deadline, this.#clock.now() + ms);
    this.#stopTimer();
    this.#stopTimer = this.#wait(ms);
  }

  /** Pauses the limit until `resume`, while the client waits for the server. */
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

  /** Waits for the deadline. Bytes only move the deadline, since a timer per piece would cost more than the piece. */
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
