/** The limit of what one user may write in an hour. */

import type { Clock } from "../../domain/clock.ts";
import { Failure } from "../../domain/failure.ts";
import { type LimitState, WindowCounter } from "../../domain/window-counter.ts";
import { reportWritten, WorkBudget, withBudget } from "../../domain/work-budget.ts";
import { serviceKey } from "./service.ts";

const periodSeconds = 3600;

/** The place that a service with its own token writes to. A monitoring tool is such a service. */
export type ServicePlace = `project ${number}` | `group ${number}` | `projects of user ${number}`;

/** The quota charges a user, or the place of a service. Administrators pay nothing. */
export type Writer = { readonly id: number; readonly is_admin: boolean } | ServicePlace;

/** Counts bytes of changes, in memory: a restart resets it. All documents are in memory, and no user may fill it. */
export class UserWriteQuota {
  readonly #written: WindowCounter;
  readonly #bytesMax: number;

  /** `bytesMax`: of changes by one writer in an hour; 0 for no limit. */
  constructor(clock: Clock, bytesMax: number) {
    this.#written = new WindowCounter(clock);
    this.#bytesMax = bytesMax;
  }

  /** Begins changes of the request under way. Throws 429 for a writer who has written as many bytes as one may in an hour. */
  enter(writer: Writer): void {
    const { observed, remainingSeconds } = this.#count(writer, 0);
    if (observed >= this.#bytesMax) {
      const who = typeof writer === "string" ? "a service" : "one user";
      const text = `${who} may write ${this.#bytesMax >> 20} MiB of changes in an hour`;
      const body = { message: `429 Too Many Requests - ${text}` };
      throw new Failure("too_many", body, { retryAfterSeconds: remainingSeconds });
    }
    this.enterUnlimited(writer);
  }

  /** Begins changes of the request under way that are charged and never refused: removals, which free memory, and signing in. */
  enterUnlimited(writer: Writer): void {
    reportWritten((bytes, besideBytes) => void this.#count(writer, bytes + besideBytes));
  }

  /** Whether background work for a user has to end, since nothing is left. */
  isUsedUp(user: Writer): boolean {
    return this.#count(user, 0).observed >= this.#bytesMax;
  }

  /** Runs background work for a user, and counts all changes of it: one request may set off many. */
  charge<R>(user: Writer, work: () => R): R {
    const unlimited = new WorkBudget(Number.POSITIVE_INFINITY);
    unlimited.onWritten = (bytes, besideBytes) => void this.#count(user, bytes + besideBytes);
    return withBudget(unlimited, work);
  }

  #count(writer: Writer, bytes: number): Pick<LimitState, "observed" | "remainingSeconds"> {
    const isPlace = typeof writer === "string";
    if (this.#bytesMax === 0 || (!isPlace && writer.is_admin)) return { observed: -1, remainingSeconds: 0 };
    return this.#written.count(isPlace ? writer : `user ${writer.id}`, periodSeconds, bytes);
  }
}

/** Counts the bytes that users and services write, in requests and in background work. */
export const WriteQuota = serviceKey(
  "write-quota",
  ({ clock, storageLimits }) => new UserWriteQuota(clock, storageLimits.userBytesPerHour),
);
