/** The checks that a merge request passes before it can be merged. */

import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { isDraftTitle, type MergeRequestRecord } from "./records.ts";

/** `detailed_merge_status`: the first check that it does not pass, as far as stored facts say (merge-requests 6). */
export function detailedStatusOf({ clock }: Context, mergeRequest: MergeRequestRecord, _: ProjectRecord): string {
  const { state, merge_status, merge_after, title } = mergeRequest;
  if (state !== "opened") return "not_open";
  if (merge_after !== null && Date.parse(merge_after) > clock.now()) return "merge_time";
  if (isDraftTitle(title)) return "draft_status";
  if (merge_status === "cannot_be_merged") return "conflict";
  return merge_status === "can_be_merged" ? "mergeable" : "unchecked";
}
