import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Context } from "../../../kernel/context.ts";
import { type IssueRecord, issues } from "../../records/index.ts";
import { parseDuration } from "./durations.ts";

type Tracked = "time_estimate" | "total_time_spent";

/** Adds to the time spent, or takes from it (1.2). Throws 400 for no duration, and for more than there is. */
export function addSpentTime(context: Context, caller: SignedInCaller, issue: IssueRecord, text: string): IssueRecord {
  const total = issue.total_time_spent + secondsIn(text);
  if (total < 0) throw invalid({ base: ["Time to subtract exceeds the total time spent"] });
  return updateTime(context, caller, issue, "total_time_spent", total);
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
  return updateTime(context, caller, issue, "time_estimate", estimate);
}

export function resetTime(context: Context, caller: SignedInCaller, issue: IssueRecord, what: Tracked): IssueRecord {
  return updateTime(context, caller, issue, what, 0);
}

function updateTime(
  { store, clock }: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  what: Tracked,
  seconds: number,
): IssueRecord {
  if (issue[what] === seconds) return issue;
  return store.transact((tx) => {
    caller.confirm?.();
    return tx.update(issues, { ...issue, [what]: seconds, updated_at: toDateTime(clock.now()) });
  });
}

function secondsIn(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  const error = "duration is invalid";
  throw new Failure("parameters", { error, message: error });
}
