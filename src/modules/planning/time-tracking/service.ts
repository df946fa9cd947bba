import type { SignedInCaller } from "../../../domain/caller.ts";
import { Failure, invalid } from "../../../domain/failure.ts";
import { type CalendarDate, toCalendarDate } from "../../../lib/datetime.ts";
import { parseDuration } from "../../../lib/text/durations.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";

/** A thing whose time is tracked. */
export interface Tracked {
  /** Seconds. */
  readonly time_estimate: number;
  /** Seconds. */
  readonly total_time_spent: number;
}

/** Time that a change adds to a thing or takes from it. */
export interface SpentTime {
  /** Negative: it is taken away. */
  readonly seconds: number;
  /** The day on which it was spent. */
  readonly day: CalendarDate;
}

/** Writes a changed thing in the transaction of the change. */
export type WriteTracked<T> = (
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: T,
  changed: T,
  details: { readonly spent?: SpentTime },
) => T;

/** Adds to the time spent, or takes from it. Throws 400 for no duration, and for more than there is. */
export function addSpentTime<T extends Tracked>(
  context: Context,
  caller: SignedInCaller,
  thing: T,
  text: string,
  write: WriteTracked<T>,
): T {
  const seconds = secondsIn(text);
  return context.store.transact((tx) => {
    const day = toCalendarDate(context.clock.now());
    return write(tx, context, caller, thing, withSpentTime(thing, seconds), { spent: { seconds, day } });
  });
}

/** The thing with more time spent, or less. Throws 400 for less than none. */
export function withSpentTime<T extends Tracked>(thing: T, seconds: number): T {
  const total = thing.total_time_spent + seconds;
  if (total < 0) throw invalid({ base: ["Time to subtract exceeds the total time spent"] });
  return { ...thing, total_time_spent: total };
}

/** Says how long it will take; a negative duration takes from what was said before. */
export function updateEstimate<T extends Tracked>(
  context: Context,
  caller: SignedInCaller,
  thing: T,
  text: string,
  write: WriteTracked<T>,
): T {
  const seconds = secondsIn(text);
  const estimate = seconds < 0 ? thing.time_estimate + seconds : seconds;
  if (estimate < 0) throw invalid({ base: ["Time to subtract exceeds the time estimate"] });
  return context.store.transact((tx) => write(tx, context, caller, thing, { ...thing, time_estimate: estimate }, {}));
}

export function resetTime<T extends Tracked>(
  context: Context,
  caller: SignedInCaller,
  thing: T,
  what: keyof Tracked,
  write: WriteTracked<T>,
): T {
  return context.store.transact((tx) => write(tx, context, caller, thing, { ...thing, [what]: 0 }, {}));
}

function secondsIn(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  const error = "duration is invalid";
  throw new Failure("parameters", { error, message: error });
}
