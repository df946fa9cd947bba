import type { Static } from "@sinclair/typebox";
import { formatDuration } from "../../../lib/text/durations.ts";
import type { TimeStats } from "./schema.ts";
import type { Tracked } from "./service.ts";

/** Seconds, and what people say for them (issues-labels-milestones-epics 1.2). */
export function presentTimeStats({ time_estimate, total_time_spent }: Tracked): Static<typeof TimeStats> {
  return {
    time_estimate,
    total_time_spent,
    human_time_estimate: formatDuration(time_estimate),
    human_total_time_spent: formatDuration(total_time_spent),
  };
}
