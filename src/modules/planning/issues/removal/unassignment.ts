/** The job that unassigns issues of users who are no longer members. */

import { type SourceRef, sourceOf } from "../../../../domain/source.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { memberEvents } from "../../../core/access/index.ts";
import { enqueueJob, jobKind, Slice } from "../../../core/background-jobs/index.ts";
import { selfAndAncestors } from "../../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { subscribe } from "../../../kernel/event.ts";
import { type IssueRecord, issues } from "../records.ts";

/** The progress of unassigning a removed member from the issues of a group or project. */
interface Unassignment {
  readonly user_id: number;
  readonly source: SourceRef;
  /** Issues up to this one were looked at. */
  readonly after: number;
}

/** The numbers of issues that one transaction reads, and changes. */
interface Limits {
  readonly looked: number;
  readonly changed: number;
}

const atOnce: Limits = { looked: 2_000, changed: 200 };
const oneStep: Limits = { looked: 200, changed: 20 };

/**
 * Takes a user off the issues of a project, or of all projects below a group (members-and-access 4.5): of the first few
 * hundred in the transaction of the removal, of the rest by a job. Until it is done, these say what they said before.
 */
export function unassignIssues(tx: Transaction, context: Context, userId: number, source: SourceRef): void {
  const rest = unassignSome(tx, context.store, { user_id: userId, source, after: 0 }, atOnce);
  if (rest !== undefined) enqueueJob(tx, context, { kind: issueUnassignment.kind, payload: rest });
}

/** Unassigns a removed member, if the removal asks for it. */
export const issueUnassignments = subscribe(memberEvents.deleted, {
  run(tx, context, { before, unassigns }) {
    if (unassigns) unassignIssues(tx, context, before.user_id, sourceOf(before));
  },
});

export const issueUnassignment = jobKind<Unassignment>({
  kind: "issue_unassignment",
  async run({ context: { store }, payload, pace, progress, complete }) {
    let rest: Unassignment | undefined = payload;
    while (rest !== undefined) {
      await pace();
      const todo: Unassignment = rest;
      rest = store.transact((tx) => {
        const left = unassignSome(tx, store, todo, oneStep);
        if (left === undefined) complete(tx);
        else progress(tx, left);
        return left;
      });
    }
  },
});

/** Does one step and returns the rest of the work; undefined if it is finished. */
function unassignSome(tx: Transaction, store: Store, todo: Unassignment, limits: Limits): Unassignment | undefined {
  const { user_id: userId, source } = todo;
  const ids = idsAfter(store.of(issues).by.assignee_id.find(userId), todo.after, limits.looked + 1);
  const slice = new Slice(tx, limits.changed);
  let { after } = todo;
  for (const issueId of ids.slice(0, limits.looked)) {
    if (slice.isFull) return { ...todo, after };
    after = issueId;
    const issue = store.of(issues).get(issueId);
    const project = issue && store.of(projects).get(issue.project_id);
    if (issue === undefined || project === undefined || !isIn(store, project, source)) continue;
    unassign(tx, issue, userId);
    slice.add(1);
  }
  return ids.length > limits.looked ? { ...todo, after } : undefined;
}

export function unassign(tx: Transaction, issue: IssueRecord, userId: number): void {
  tx.update(issues, { ...issue, assignee_ids: issue.assignee_ids.filter((id) => id !== userId) });
}

function isIn(store: Store, project: ProjectRecord, { type, id }: SourceRef): boolean {
  if (type === "project") return project.id === id;
  return selfAndAncestors(store, project.namespace_id).some((each) => each.id === id);
}

function idsAfter(ids: Iterable<number>, after: number, limit: number): number[] {
  const found: number[] = [];
  for (const id of ids) {
    if (id <= after) continue;
    if (found.push(id) === limit) break;
  }
  return found;
}
