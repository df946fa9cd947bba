import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import { toCalendarDate } from "../../../../lib/datetime.ts";
import { parseDuration } from "../../../../lib/text/durations.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { writeIssue } from "../changes/service-write.ts";
import type { SpentTime } from "../events.ts";
import type { IssueRecord } from "../records.ts";

type Tracked = "time_estimate" | "total_time_spent";

/** Adds to the time spent, or takes from it (1.2). Throws 400 for no duration, and for more than there is. */
export function addSpentTime(context: Context, caller: SignedInCaller, issue: IssueRecord, text: string): IssueRecord {
  const seconds = secondsIn(text);
  return context.store.transact((tx) => {
    const day = toCalendarDate(context.clock.now());
    return writeSpentTime(tx, context, caller, issue, { seconds, day });
  });
}

/** Adds spent time in the transaction of another change. */
export function writeSpentTime(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  spent: SpentTime,
): IssueRecord {
  const total = issue.total_time_spent + spent.seconds;
  if (total < 0) throw invalid({ base: ["Time to subtract exceeds the total time spent"] });
  return writeIssue(tx, context, caller, issue, { ...issue, total_time_spent: total }, { spent });
}

/** Says how long it will take; a negative duration takes from what was said before. */
export function updateEstimate(
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  text: string,
): IssueRecord {
  const seconds = secondsIn(text);
  const estimate = seconds < 0 ? issue.time_estimate + seconds : seconds;
  if (estimate < 0) throw invalid({ base: ["Time to subtract exceeds the time estimate"] });
  return context.store.transact((tx) => writeIssue(tx, context, caller, issue, { ...issue, time_estimate: estimate }));
}

export function resetTime(context: Context, caller: SignedInCaller, issue: IssueRecord, what: Tracked): IssueRecord {
  return context.store.transact((tx) => writeIssue(tx, context, caller, issue, { ...issue, [what]: 0 }));
}

function secondsIn(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  const error = "duration is invalid";
  throw new Failure("parameters", { error, message: error });
}
