import { withoutBudget } from "./work-budget.ts";

/** Time comes in from outside, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  now(): number;
  /**
   * Calls `action` once, `ms` from now, and does not keep the process alive for it. It may come early when `ms` is
   * beyond 24 days: `action` checks `now`. The returned function cancels it.
   */
  after(ms: number, action: () => void): () => void;
  /** Rises when the clock was put back: counts of time windows begin again then. The system's clock has none. */
  readonly era?: number;
  /** Calls the listener each time that the clock has gone back. */
  onBack?(listener: () => void): void;
}

/** The longest that the runtime's timers can wait. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(() => withoutBudget(action), Math.min(ms, timerMsMax)).unref();
    return () => clearTimeout(timer);
  },
};
