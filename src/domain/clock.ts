import { withoutBudget } from "./work-budget.ts";

/** The source of time, which tests can replace. */
export interface Clock {
  /** Returns milliseconds since 1970 in UTC. */
  now(): number;
  /**
   * Calls `action` once, `ms` from now, without keeping the process alive. It may come early when `ms` is beyond 24 days, so
   * `action` checks `now`. The returned function cancels it.
   */
  after(ms: number, action: () => void): () => void;
  /** Rises when the clock is set back, which restarts the counts of time windows. The system clock has none. */
  readonly era?: number;
  /** Calls the listener each time that the clock is set back. */
  onBack?(listener: () => void): void;
}

/** The longest wait of the runtime's timers. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(() => withoutBudget(action), Math.min(ms, timerMsMax)).unref();
    return () => clearTimeout(timer);
  },
};
