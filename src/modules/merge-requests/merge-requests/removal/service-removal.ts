import type { SignedInCaller } from "../../../../domain/caller.ts";
import { requireUnmodified } from "../../../../domain/failure.ts";
import type { DateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { enqueueJob, jobKind } from "../../../core/background-jobs/index.ts";
import { removeAllDependents, removeDependents } from "../../../core/dependents/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { removeRecord } from "../../../kernel/record-events.ts";
import { firstOf } from "../../../kernel/removal.ts";
import { placeOf } from "../../../repositories/repositories/index.ts";
import { headRef } from "../changes/branches.ts";
import { mergeRequestEvents } from "../events.ts";
import { requireOwner } from "../policy.ts";
import { type MergeRequestRecord, mergeRequests } from "../records.ts";
import { mergeRequestVersions } from "../records-versions.ts";
import { mergeRequestRef } from "../service-subscriptions.ts";

/** `DELETE …/:merge_request_iid` (merge-requests 4): owners and administrators. Throws 403, 412. */
export function deleteMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  mergeRequest: MergeRequestRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  const { store } = context;
  requireOwner(context, caller, project);
  requireUnmodified(mergeRequest, unmodifiedSince);
  store.transact((tx) => {
    removeAllDependents(tx, context, mergeRequestRef(mergeRequest));
    removeVersions(tx, store, mergeRequest.id, Number.POSITIVE_INFINITY);
    removeRecord(tx, context, caller, mergeRequestEvents, mergeRequest.id);
    const payload = { project_id: project.id, iid: mergeRequest.iid };
    enqueueJob(tx, context, { kind: mergeRequestRefsDeletion.kind, payload });
  });
}

/** Deletes the refs of a deleted merge request. */
export const mergeRequestRefsDeletion = jobKind<{ readonly project_id: number; readonly iid: number }>({
  kind: "merge_request_refs_deletion",
  async run({ context, payload }) {
    const { store, repositories } = context;
    const project = store.of(projects).get(payload.project_id);
    if (project === undefined) return;
    const place = () => placeOf(store.of(projects).get(project.id) ?? project);
    await repositories.write({ kind: "project", id: project.id }, place, (writer) =>
      writer.delete(headRef(payload.iid)),
    );
  },
});

/**
 * Takes merge requests out of the store with their versions, notes, reactions and subscriptions: at most `limit` documents.
 * Returns how many; fewer than `limit` are the last ones.
 */
export function removeMergeRequests(tx: Transaction, store: Store, ids: Iterable<number>, limit: number): number {
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    removed += removeDependents(tx, store, mergeRequestRef({ id }), limit - removed);
    if (removed >= limit) return removed;
    removed += removeVersions(tx, store, id, limit - removed);
    if (removed >= limit) return removed;
    tx.remove(mergeRequests, id);
    removed += 1;
  }
  return removed;
}

function removeVersions(tx: Transaction, store: Store, mergeRequestId: number, limit: number): number {
  const ids = firstOf(store.of(mergeRequestVersions).by.merge_request_id.find(mergeRequestId), limit);
  for (const id of ids) tx.remove(mergeRequestVersions, id);
  return ids.length;
}
