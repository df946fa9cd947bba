/** The job that takes users who are no longer members off merge requests. */

import { type SourceRef, sourceOf } from "../../../../domain/source.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { memberEvents } from "../../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../../core/background-jobs/index.ts";
import { selfAndAncestors } from "../../../core/namespaces/index.ts";
import { projects } from "../../../groups-and-projects/projects/records.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type MergeRequestRecord, mergeRequests } from "../records.ts";

/** A removed member, and the group or project. */
interface Unassignment {
  readonly user_id: number;
  readonly source: SourceRef;
}

/** Unassigns a removed member, if the removal asks for it (members-and-access 4.5). */
export const mergeRequestUnassignments = subscribe(memberEvents.deleted, {
  run(tx, context, { before, unassigns }) {
    const { assignee_id, reviewer_id } = context.store.of(mergeRequests).by;
    const { user_id } = before;
    if (!unassigns || assignee_id.find(user_id).size + reviewer_id.find(user_id).size === 0) return;
    const payload: Unassignment = { user_id, source: sourceOf(before) };
    enqueueJob(tx, context, { kind: mergeRequestUnassignment.kind, payload });
  },
});

/** Takes the user off as assignee and reviewer. An attempt begins anew: what is done is not found. */
export const mergeRequestUnassignment: JobKind = jobKind<Unassignment>({
  kind: "merge_request_unassignment",
  async run({ context: { store }, payload, pace }) {
    const { by } = store.of(mergeRequests);
    const { user_id: userId } = payload;
    for (const id of new Set([...by.assignee_id.find(userId), ...by.reviewer_id.find(userId)])) {
      await pace();
      store.transact((tx) => unassign(tx, store, payload, id));
    }
  },
});

function unassign(tx: Transaction, store: Store, { user_id, source }: Unassignment, id: number): void {
  const before = store.of(mergeRequests).get(id);
  if (before === undefined || !isIn(store, before, source)) return;
  const { assignee_ids, reviewer_ids, reviews = [] } = before;
  tx.update(mergeRequests, {
    ...before,
    assignee_ids: assignee_ids.filter((each) => each !== user_id),
    reviewer_ids: reviewer_ids.filter((each) => each !== user_id),
    reviews: reviews.filter((each) => each.user_id !== user_id),
  });
}

function isIn(store: Store, { project_id }: MergeRequestRecord, { type, id }: SourceRef): boolean {
  if (type === "project") return project_id === id;
  const project = store.of(projects).get(project_id);
  return project !== undefined && selfAndAncestors(store, project.namespace_id).some((each) => each.id === id);
}
