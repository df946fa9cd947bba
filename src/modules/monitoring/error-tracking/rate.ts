/** The rate limit of reported events. */

import type { Clock } from "../../../domain/clock.ts";
import { type RequestLimit, Throttled, WindowCounter } from "../../../domain/window-counter.ts";
import { serviceKey } from "../../kernel/service.ts";

const periodSeconds = 60;
const reports: RequestLimit = { requests: 3_000, periodSeconds };
/** Bytes of reports. */
const bytes: RequestLimit = { requests: 64 << 20, periodSeconds };

/** Counts the reports of each client key, which is public: whoever has seen a page may have it. In memory. */
export class ReportRateLimiter {
  readonly #reports: WindowCounter;
  readonly #bytes: WindowCounter;

  constructor(clock: Pick<Clock, "now">) {
    this.#reports = new WindowCounter(clock);
    this.#bytes = new WindowCounter(clock);
  }

  /** Counts a report. Throws `Throttled` for one beyond the limits. */
  count(publicKey: string): void {
    const standing = this.#reports.count(publicKey, periodSeconds);
    if (standing.observed > reports.requests) throw new Throttled(reports, standing);
    this.countBytes(publicKey, 0);
  }

  /** Counts the bytes of a report. Throws `Throttled` when they are too many. */
  countBytes(publicKey: string, more: number): void {
    const standing = this.#bytes.count(publicKey, periodSeconds, more);
    if (standing.observed > bytes.requests) throw new Throttled(bytes, standing);
  }
}

export const ReportRate = serviceKey("report-rate", ({ clock }) => new ReportRateLimiter(clock));
