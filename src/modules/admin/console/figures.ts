/** Requests per second and durations, worked out from the requests that the server remembers. */

import type { Static } from "@sinclair/typebox";
import { toDateTime } from "../../../lib/datetime.ts";
import { type RequestRing, requestsMax } from "../recent-requests/index.ts";
import type { RequestFigures } from "./schema.ts";

type Figures = Static<typeof RequestFigures>;

/** The length of one period. */
export const periodMs = 5_000;
/** A quarter of an hour. */
const periodsMax = 180;

interface Counted {
  readonly requests: number;
  readonly serverErrors: number;
  /** Milliseconds; of a sample when there were more requests than the server remembers. */
  readonly durations: Float64Array;
}

/** The figures of each period of the last quarter of an hour, oldest first, as far back as the remembered requests reach. */
export function listFigures(ring: RequestRing, nowMs: number): Figures[] {
  const periods: { serverErrors: number; durations: number[] }[] = [];
  let oldest = 0;
  for (const { atMs, status, durationMs } of ring.entries()) {
    const index = Math.floor((nowMs - atMs) / periodMs);
    if (index >= periodsMax) break;
    oldest = Math.max(oldest, index);
    for (let each = periods.length; each <= index; each += 1) periods.push({ serverErrors: 0, durations: [] });
    // The clock may have been put back meanwhile.
    const period = periods[Math.max(index, 0)];
    if (period === undefined) continue;
    period.durations.push(durationMs);
    if (status >= 500) period.serverErrors += 1;
  }
  // The oldest period may be remembered in part only.
  const whole = ring.last > requestsMax ? periods.slice(0, oldest) : periods;
  return whole
    .map(({ serverErrors, durations }, index) =>
      figuresOf(
        { requests: durations.length, serverErrors, durations: Float64Array.from(durations) },
        nowMs - index * periodMs,
        periodMs,
      ),
    )
    .reverse();
}

/** Counts the requests between two calls of `read`. */
export class FiguresReader {
  readonly #ring: RequestRing;
  #last: number;
  #serverErrors: number;
  #atMs: number;

  constructor(ring: RequestRing, nowMs: number) {
    this.#ring = ring;
    this.#last = ring.last;
    this.#serverErrors = ring.serverErrors;
    this.#atMs = nowMs;
  }

  read(nowMs: number): Figures {
    const { last, serverErrors } = this.#ring;
    const durations: number[] = [];
    for (const { id, durationMs } of this.#ring.entries()) {
      if (id <= this.#last) break;
      durations.push(durationMs);
    }
    const counted = {
      requests: last - this.#last,
      serverErrors: serverErrors - this.#serverErrors,
      durations: Float64Array.from(durations),
    };
    const figures = figuresOf(counted, nowMs, Math.max(1, nowMs - this.#atMs));
    this.#last = last;
    this.#serverErrors = serverErrors;
    this.#atMs = nowMs;
    return figures;
  }
}

function figuresOf({ requests, serverErrors, durations }: Counted, endMs: number, lengthMs: number): Figures {
  durations.sort();
  const seconds = lengthMs / 1000;
  return {
    at: toDateTime(endMs),
    requests_per_second: rounded(requests / seconds),
    server_errors_per_second: rounded(serverErrors / seconds),
    p50_ms: quantile(durations, 0.5),
    p99_ms: quantile(durations, 0.99),
  };
}

function quantile(sorted: Float64Array, share: number): number | null {
  const value = sorted[Math.ceil(sorted.length * share) - 1];
  return value === undefined ? null : rounded(value);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
