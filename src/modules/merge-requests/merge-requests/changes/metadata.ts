/** The labels, assignees, reviewers and milestone of a merge request in a request. */

import type { SignedInCaller } from "../../../../domain/caller.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { Access, sourcesAbove } from "../../../core/access/index.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { chosenUsers } from "../../../planning/issuables/index.ts";
import { resolveLabels } from "../../../planning/labels/index.ts";
import { titleKey } from "../../../planning/labels/records.ts";
import { isMilestoneOf } from "../../../planning/milestones/index.ts";
import { milestones } from "../../../planning/milestones/records.ts";
import { remainingIds } from "../../../planning/pending-unlinks/index.ts";
import { canSeeMergeRequestsOf } from "../../../planning/readable-merge-requests/index.ts";
import { canManage } from "../policy.ts";
import type { MergeRequestRecord } from "../records.ts";
import type { MergeRequestAttributes } from "../schema-parameters.ts";

export type MergeRequestMetadata = Partial<
  Pick<MergeRequestRecord, "assignee_ids" | "reviewer_ids" | "label_ids" | "milestone_id">
>;

/** The metadata that the parameters name; creates labels that do not exist yet. Only developers and above set any (merge-requests 1). */
export function resolveMetadata(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: Pick<MergeRequestRecord, "label_ids">,
  params: MergeRequestAttributes,
): MergeRequestMetadata {
  if (!canManage(context, caller, project)) return {};
  const { assignee_ids, assignee_id, reviewer_ids } = params;
  const mayTakePart = (user: UserRecord) => canSeeMergeRequestsOf(context.get(Access), user, project);
  const chosen = (ids: readonly number[] | null) => chosenUsers(context, ids ?? [], mayTakePart);
  const assignees = assignee_ids === undefined && assignee_id !== undefined ? [assignee_id ?? 0] : assignee_ids;
  const places = sourcesAbove(context.store, project) as [ReturnType<typeof sourcesAbove>[number]];
  const present = remainingIds(context.store, "label", mergeRequest.label_ids);
  const label_ids = resolveLabels(tx, context, caller, places, present, params, true);
  const milestone_id = milestoneOf(context.store, project, params);
  return {
    ...(assignees === undefined ? {} : { assignee_ids: chosen(assignees) }),
    ...(reviewer_ids === undefined ? {} : { reviewer_ids: chosen(reviewer_ids) }),
    ...(label_ids === undefined ? {} : { label_ids }),
    ...(milestone_id === undefined ? {} : { milestone_id }),
  };
}

/** null: none; undefined: the parameters name none. An unknown title says nothing, an unknown id takes the milestone away. */
function milestoneOf(
  store: Store,
  project: ProjectRecord,
  { milestone_id, milestone }: MergeRequestAttributes,
): number | null | undefined {
  if (milestone_id !== undefined) {
    return milestone_id !== null && isMilestoneOf(store, project, milestone_id) ? milestone_id : null;
  }
  if (milestone === undefined) return undefined;
  const { title_in_source } = store.of(milestones).by;
  return sourcesAbove(store, project)
    .map((source) => title_in_source.find(titleKey(source, milestone)))
    .find((id) => id !== undefined);
}
