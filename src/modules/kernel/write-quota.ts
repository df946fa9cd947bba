/** The limit of what one user may write in an hour. */

import type { Clock } from "../../domain/clock.ts";
import { Failure } from "../../domain/failure.ts";
import { WindowCounter } from "../../domain/window-counter.ts";
import { WorkBudget, withBudget } from "../../domain/work-budget.ts";
import { serviceKey } from "./service.ts";

const periodSeconds = 3600;
const smallChangeBytesMax = 4 * 1024;

type Writer = { readonly id: number; readonly is_admin: boolean };

/** Counts bytes of changes, in memory: a restart resets it. All documents are in memory, and no user may fill it. */
export class UserWriteQuota {
  readonly #written: WindowCounter;
  readonly #bytesMax: number;

  /** `bytesMax`: of changes by one user in an hour; 0 for no limit. */
  constructor(clock: Clock, bytesMax: number) {
    this.#written = new WindowCounter(clock);
    this.#bytesMax = bytesMax;
  }

  /** Throws 429 for a user who has written as many bytes as one may in an hour. */
  requireLeft(userId: number): void {
    if (this.#bytesMax === 0) return;
    const { observed, remainingSeconds } = this.#written.count(String(userId), periodSeconds, 0);
    if (observed < this.#bytesMax) return;
    const text = `one user may write ${this.#bytesMax >> 20} MiB of texts in an hour`;
    throw new Failure(
      "too_many",
      { message: `429 Too Many Requests - ${text}` },
      { retryAfterSeconds: remainingSeconds },
    );
  }

  /** Whether background work for a user has to end, since nothing is left. */
  isUsedUp({ id, is_admin }: Writer): boolean {
    if (this.#bytesMax === 0 || is_admin) return false;
    return this.#written.count(String(id), periodSeconds, 0).observed >= this.#bytesMax;
  }

  /** Counts the change of a request. Small ones do not count: many of them take long, and their memory is bounded by that. */
  noteRequest(userId: number, bytes: number): void {
    if (bytes > smallChangeBytesMax) this.#written.count(String(userId), periodSeconds, bytes);
  }

  /** Runs background work for a user, and counts all changes of it: one request may set off many. */
  charge<R>(user: Writer, work: () => R): R {
    if (this.#bytesMax === 0 || user.is_admin) return work();
    const unlimited = new WorkBudget(Number.POSITIVE_INFINITY);
    unlimited.onWritten = (bytes) => this.#written.count(String(user.id), periodSeconds, bytes);
    return withBudget(unlimited, work);
  }
}

/** What users have written, by requests and by background work. */
export const WriteQuota = serviceKey(
  "write-quota",
  ({ clock, storageLimits }) => new UserWriteQuota(clock, storageLimits.userBytesPerHour),
);
