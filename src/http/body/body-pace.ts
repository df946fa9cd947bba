import type { Clock } from "../../domain/clock.ts";
import { Failure } from "../../domain/failure.ts";

/** Limits on how slowly a body may arrive. */
export interface PaceLimits {
  /** The time that any body may take, however small it is. */
  readonly graceMs: number;
  /** So many bytes give it a second more. */
  readonly bytesPerSecond: number;
  /** No body has more time than this before it, however much of it has come. */
  readonly aheadMs: number;
}

/** A body of 64 KiB or less has ten seconds; a larger one goes on as long as 4 KiB come in a second. */
const paceLimits: PaceLimits = { graceMs: 10_000, bytesPerSecond: 4096, aheadMs: 60_000 };

/** The deadline is looked at this often at most. */
const lookMs = 1000;

/** Connection that sends too slowly, closed: its place is for others. */
export function tooSlow(): Failure {
  return new Failure("too_slow", { message: "408 Request Timeout" }, { headers: { Connection: "close" } });
}

/** The time that a body has. It calls `onLate` once when that is over, unless it is stopped before. */
export class BodyPace {
  readonly #clock: Clock;
  readonly #limits: PaceLimits;
  readonly #onLate: () => void;
  #deadline: number;
  /** Since when nobody asks for more of the body. */
  #pausedAt: number | undefined;
  #stopTimer: () => void;
  #isLate = false;

  constructor(clock: Clock, onLate: () => void, limits = paceLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onLate = onLate;
    this.#deadline = clock.now() + limits.graceMs;
    this.#stopTimer = this.#wait(limits.graceMs);
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** So many bytes came. */
  came(bytes: number): void {
    const { bytesPerSecond, aheadMs } = this.#limits;
    const more = this.#deadline + (bytes / bytesPerSecond) * 1000;
    this.#deadline = Math.min(more, this.#clock.now() + aheadMs);
  }

  /** Stops the sender's time until `resume`: the server does not ask for more of the body. */
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

  /** Bytes that come only move the deadline: a timer for each piece would cost more than the piece. */
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
