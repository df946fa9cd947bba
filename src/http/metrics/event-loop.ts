import { Histogram } from "../../lib/histogram.ts";
import type { LoopActivity } from "../../lib/loop-activity.ts";

const everyMs = 100;
/** The delay from which the event loop counts as held. */
export const heldMs = 1_000;

/** Checks the clock ten times a second: code that holds the event loop delays the check. */
export class EventLoopWatch {
  readonly delays = Histogram.ofSeconds();
  /** Number of times the loop was held, and the length of the longest. */
  holds = 0;
  longestHoldSeconds = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #activity: LoopActivity | undefined;
  #due = 0;

  /** `activity` shows each check to another thread. `onHeld` is called after a hold, with its milliseconds. */
  start(activity: LoopActivity, onHeld: (ms: number) => void): void {
    this.#activity = activity;
    this.expect(performance.now());
    activity.beat(Date.now());
    this.#timer = setInterval(() => {
      const late = this.look(performance.now());
      activity.beat(Date.now());
      if (late >= heldMs) onHeld(late);
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#activity?.rest();
  }

  /** The next look is due from `now` on, by the interval. */
  expect(now: number): void {
    this.#due = now + everyMs;
  }

  /** Returns by how many milliseconds the look is late. */
  look(now: number): number {
    const late = Math.max(0, now - this.#due);
    this.delays.observe(late / 1000);
    if (late >= heldMs) {
      this.holds += 1;
      this.longestHoldSeconds = Math.max(this.longestHoldSeconds, late / 1000);
    }
    this.expect(now);
    return late;
  }
}
