import type { SignedInCaller } from "../../../../domain/caller.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { countTasks } from "../../../planning/issuables/index.ts";
import { type MergeRequestDetails, mergeRequestEvents } from "../events.ts";
import { type MergeRequestRecord, mergeRequests } from "../records.ts";
import { type MergeRequestVersionRecord, mergeRequestVersions } from "../records-versions.ts";
import { getVersion } from "../service-find.ts";
import type { NewVersion } from "./branches.ts";
import { reviewsOf } from "./reviews.ts";

/** Writes the changed attributes of a merge request, and publishes that. Nothing is written where nothing differs. */
export function writeMergeRequest(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: MergeRequestRecord,
  changed: MergeRequestRecord,
  details: MergeRequestDetails = {},
): MergeRequestRecord {
  if (Bun.deepEquals(before, changed)) return before;
  const { description } = changed;
  const counted = description === before.description ? {} : { task_completion: countTasks(description) };
  const asked =
    before.reviewer_ids.join() === changed.reviewer_ids.join() ? {} : { reviews: reviewsOf(context, changed) };
  const updated_at = toDateTime(context.clock.now());
  const after = tx.update(mergeRequests, { ...changed, ...counted, ...asked, updated_at });
  publish(tx, context, mergeRequestEvents.updated, { caller, before, after, ...details });
  return context.store.of(mergeRequests).get(after.id) ?? after;
}

/** The attributes that closing or reopening changes; none when it is in that state, or merged. */
export function stateAfter(
  { clock }: Pick<Context, "clock">,
  { user }: SignedInCaller,
  { state }: MergeRequestRecord,
  event: "close" | "reopen" | undefined,
): Partial<MergeRequestRecord> {
  if (event === "close" && state === "opened") {
    return { state: "closed", closed_at: toDateTime(clock.now()), closed_by_id: user.id };
  }
  if (event === "reopen" && state === "closed") return { state: "opened", closed_at: null, closed_by_id: null };
  return {};
}

/** Makes the newest version of a merge request. */
export function insertVersion(
  tx: Transaction,
  { clock }: Pick<Context, "clock">,
  mergeRequestId: number,
  version: NewVersion,
): MergeRequestVersionRecord {
  return tx.insert(mergeRequestVersions, {
    id: tx.nextId("merge_request_versions"),
    merge_request_id: mergeRequestId,
    ...version,
    created_at: toDateTime(clock.now()),
  });
}

/** Makes a version where the commits are others than those of the newest one. */
export function versionAfter(
  tx: Transaction,
  context: Context,
  mergeRequest: MergeRequestRecord,
  version: NewVersion,
): Partial<MergeRequestRecord> {
  const { base_sha, start_sha, head_sha } = getVersion(context.store, mergeRequest);
  if (version.base_sha === base_sha && version.start_sha === start_sha && version.head_sha === head_sha) return {};
  const { id } = insertVersion(tx, context, mergeRequest.id, version);
  return { version_id: id, head_sha: version.head_sha, merge_status: "unchecked" };
}
