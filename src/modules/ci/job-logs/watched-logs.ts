/** The logs that somebody reads now: their runners send more often. */

import type { Clock } from "../../../domain/clock.ts";
import { serviceKey } from "../../kernel/service.ts";

/** A log is watched for so long after somebody read it. */
const watchedMs = 60_000;
const logsMax = 1_000;

class WatchTimes {
  readonly #clock: Clock;
  /** Times of the last reads by job, the oldest first. */
  readonly #readAt = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  noteRead(jobId: number): void {
    this.#readAt.delete(jobId);
    this.#readAt.set(jobId, this.#clock.now());
    const [oldest] = this.#readAt.keys();
    if (this.#readAt.size > logsMax && oldest !== undefined) this.#readAt.delete(oldest);
  }

  isWatched(jobId: number): boolean {
    const readAt = this.#readAt.get(jobId);
    return readAt !== undefined && this.#clock.now() - readAt < watchedMs;
  }
}

export const WatchedLogs = serviceKey("watched-logs", ({ clock }) => new WatchTimes(clock));
