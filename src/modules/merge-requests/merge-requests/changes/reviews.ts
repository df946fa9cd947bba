/** The reviews of a merge request. */

import { toDateTime } from "../../../../lib/datetime.ts";
import type { Context } from "../../../kernel/context.ts";
import type { MergeRequestRecord } from "../records.ts";

/** The reviews of its present reviewers: those of new ones are asked for now. */
export function reviewsOf(
  { clock }: Pick<Context, "clock">,
  { reviewer_ids, reviews = [] }: Pick<MergeRequestRecord, "reviewer_ids" | "reviews">,
): NonNullable<MergeRequestRecord["reviews"]> {
  const created_at = toDateTime(clock.now());
  return reviewer_ids.map(
    (user_id) => reviews.find((each) => each.user_id === user_id) ?? { user_id, state: "unreviewed", created_at },
  );
}
