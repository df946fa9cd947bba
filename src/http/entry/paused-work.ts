import { WorkPaused } from "../../domain/text-scans.ts";
import type { LoopActivity } from "../../lib/loop-activity.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import type { RequestContext } from "./request-context.ts";
import type { Route } from "./routes.ts";

/**
 * Returns the result of `handle`. Interrupts a read that searches texts for longer than a slice, and calls `handle` again
 * after other work: it reuses the results of the interrupted search. Never interrupts a write.
 */
export function handleInSlices(
  { operation, number }: Route,
  requestContext: RequestContext,
  activity: LoopActivity,
  handle: () => unknown,
): unknown {
  if (operation.method !== "GET") return handle();
  const { work } = requestContext;
  work.mayPause = true;
  const handleAgain = async (error: unknown): Promise<unknown> => {
    if (!(error instanceof WorkPaused)) throw error;
    await yieldToOthers();
    try {
      return await requestContext.inSlice(() => {
        work.scans.repeat();
        activity.enter(number);
        try {
          return handle();
        } finally {
          activity.leave();
        }
      });
    } catch (again) {
      return handleAgain(again);
    }
  };
  try {
    const result = handle();
    return result instanceof Promise ? result.catch(handleAgain) : result;
  } catch (error) {
    if (error instanceof WorkPaused) return handleAgain(error);
    throw error;
  }
}
