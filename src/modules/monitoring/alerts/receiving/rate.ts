/** The rate limit of alerts. */

import type { Clock } from "../../../../domain/clock.ts";
import { type RequestLimit, Throttled, WindowCounter } from "../../../../domain/window-counter.ts";
import { serviceKey } from "../../../kernel/service.ts";

/** Requests with a right key, counted for each project over all its receivers (alerts F). In memory. */
export class AlertRateLimiter {
  readonly #counter: WindowCounter;
  readonly #limit: RequestLimit;

  /** No `requests`: as many as come. */
  constructor(clock: Pick<Clock, "now">, limit: RequestLimit) {
    this.#counter = new WindowCounter(clock);
    this.#limit = limit;
  }

  /** Throws `Throttled` for a request beyond the limit. */
  count(projectId: number): void {
    if (this.#limit.requests === 0) return;
    const standing = this.#counter.count(String(projectId), this.#limit.periodSeconds);
    if (standing.observed > this.#limit.requests) throw new Throttled(this.#limit, standing);
  }
}

/** Counts the requests with alerts that a project takes. */
export const AlertRate = serviceKey(
  "alert-rate",
  ({ clock, alertRateLimit }) => new AlertRateLimiter(clock, alertRateLimit),
);
