import { Histogram } from "../../lib/histogram.ts";
import type { LoopActivity } from "../../lib/loop-activity.ts";

const everyMs = 100;
/** The delay from which the event loop counts as blocked. */
export const heldMs = 1_000;
/** The number of checks without any work before the watch pauses, so that an idle server does not wake up. */
const idleLooksMax = 50;

/** Checks the clock ten times per second while there is work. Code that blocks the event loop delays the check. */
export class EventLoopWatch {
  readonly delays = Histogram.ofSeconds();
  /** The number of blocks, and the length of the longest. */
  holds = 0;
  longestHoldSeconds = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #activity: LoopActivity | undefined;
  #isUsed = false;
  #idleLooks = 0;
  #due = 0;

  /**
   * Starts the watch. `activity` shows each check to another thread. Calls `onHeld` after a block, with its milliseconds.
   */
  start(activity: LoopActivity, onHeld: (ms: number) => void): void {
    this.#activity = activity;
    this.#idleLooks = 0;
    this.expect(performance.now());
    activity.beat(Date.now());
    this.#noteUse(activity);
    this.#timer = setInterval(() => {
      const late = this.look(performance.now());
      if (late >= heldMs) onHeld(late);
      if (this.#isIdle(activity)) this.#restUntilUse(activity, onHeld);
      else activity.beat(Date.now());
    }, everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#activity?.onUse(() => {});
    this.#activity?.rest();
  }

  #noteUse(activity: LoopActivity): void {
    activity.onUse(() => {
      this.#isUsed = true;
    });
  }

  /** True when no work started since several checks, and none is under way. */
  #isIdle(activity: LoopActivity): boolean {
    this.#idleLooks = this.#isUsed ? 0 : this.#idleLooks + 1;
    if (this.#isUsed) this.#noteUse(activity);
    this.#isUsed = false;
    return this.#idleLooks >= idleLooksMax && activity.underWay().length === 0;
  }

  #restUntilUse(activity: LoopActivity, onHeld: (ms: number) => void): void {
    clearInterval(this.#timer);
    activity.rest();
    activity.onUse(() => this.start(activity, onHeld));
  }

  /** Plans the next check. */
  expect(now: number): void {
    this.#due = now + everyMs;
  }

  /** Returns by how many milliseconds the check is late. */
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
