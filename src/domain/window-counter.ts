import type { Clock } from "./clock.ts";
import { Failure } from "./failure.ts";

/** The allowed number of requests per time window. */
export interface RequestLimit {
  readonly requests: number;
  readonly periodSeconds: number;
}

/** The state of a limit in the current window. */
export interface LimitState {
  readonly observed: number;
  /** The seconds until the window ends, at least 1. */
  readonly remainingSeconds: number;
  /** The end of the window, in seconds since 1970. */
  readonly resetSeconds: number;
}

/** Counts requests in fixed windows. All counters of a window are removed when it ends. */
export class WindowCounter {
  readonly #clock: Pick<Clock, "now" | "era">;
  #window = "";
  #counts = new Map<string, number>();

  constructor(clock: Pick<Clock, "now" | "era">) {
    this.#clock = clock;
  }

  /** Adds `more` to the count of a key, and returns the new state of its limit. */
  count(key: string, periodSeconds: number, more = 1): LimitState {
    const seconds = Math.floor(this.#clock.now() / 1000);
    const window = `${this.#clock.era ?? 0} ${periodSeconds} ${Math.floor(seconds / periodSeconds)}`;
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const observed = (this.#counts.get(key) ?? 0) + more;
    this.#counts.set(key, observed);
    const remainingSeconds = periodSeconds - (seconds % periodSeconds);
    return { observed, remainingSeconds, resetSeconds: seconds + remainingSeconds };
  }
}

/** Thrown for a request beyond a limit: 429 with the state of the limit. */
export class Throttled extends Failure {
  readonly limit: RequestLimit;
  readonly state: LimitState;

  constructor(limit: RequestLimit, state: LimitState) {
    super("too_many", { message: "Retry later" }, { retryAfterSeconds: state.remainingSeconds });
    this.limit = limit;
    this.state = state;
  }
}
