import type { SignedInCaller } from "../../../../domain/caller.ts";
import { invalid } from "../../../../domain/failure.ts";
import { subjectKey } from "../../../../domain/subject.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import { Access, getProject, sourcesAbove } from "../../../core/access/index.ts";
import { findUser } from "../../../core/users/index.ts";
import { notes } from "../../../discussions/notes/records.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { findOrInsertLabels } from "../../labels/index.ts";
import { labels } from "../../labels/records.ts";
import { isMilestoneOf } from "../../milestones/index.ts";
import { remainingIds } from "../../pending-unlinks/index.ts";
import { canSeeIssuesOf, plannerLevel } from "../../readable-issues/index.ts";
import { upsertSubscription } from "../../subscriptions/index.ts";
import { issueEvents } from "../events.ts";
import { type IssueRecord, issues } from "../records.ts";
import { issueRef } from "../service-subscriptions.ts";
import { insertEpicLink, removeEpicLink } from "./service-epic-links.ts";
import { iidSequence, stateAfter } from "./service-write.ts";

/** The platform's refusal of a move to where the issue is. */
export const sameProjectText = "Cannot move issue to project it originates from!";

/**
 * `POST …/:issue_iid/move` (issues-labels-milestones-epics 1.2): a copy in the other project, with its notes; the
 * old one is closed and names the new one. Throws 404 for a hidden project, 400 with the page's texts.
 */
export function moveIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  toProjectId: number,
): IssueRecord {
  const target = getProject(context, caller, toProjectId);
  if (target.id === project.id) throw invalid(sameProjectText);
  if (![project, target].every((each) => canMoveIssues(context, caller, each)) || issue.moved_to_id !== null) {
    throw invalid("Cannot move issue due to insufficient permissions!");
  }
  return context.store.transact((tx) => writeMove(tx, context, caller, target, issue));
}

/** Moves an issue in the transaction of another change. The caller has checked the rights. */
export function writeMove(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  target: ProjectRecord,
  issue: IssueRecord,
): IssueRecord {
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  const copied = tx.insert(issues, {
    ...issue,
    id: tx.nextId("issues"),
    iid: tx.nextId(iidSequence(target.id)),
    project_id: target.id,
    assignee_ids: issue.assignee_ids.filter((id) => {
      const user = findUser(store, id);
      return user !== undefined && context.get(Access).canSeeProject(user, target);
    }),
    label_ids: labelsIn(tx, context, caller, target, issue),
    milestone_id: milestoneIn(store, target, issue),
    epic_id: null,
    upvotes: 0,
    downvotes: 0,
    updated_at: now,
  });
  copyNotes(tx, store, issue, copied);
  upsertSubscription(tx, store, issueRef(copied), issue.author_id, true);
  const freed = removeEpicLink(tx, store, issue);
  if (issue.epic_id !== null) insertEpicLink(tx, store, copied, issue.epic_id);
  const closing = stateAfter(context, caller, issue, "close");
  const left = tx.update(issues, { ...freed, ...closing, moved_to_id: copied.id, updated_at: now });
  publish(tx, context, issueEvents.updated, { caller, before: issue, after: left });
  const after = store.of(issues).get(copied.id) ?? copied;
  publish(tx, context, issueEvents.created, { caller, before: undefined, after, movedFrom: left });
  return after;
}

/** True when the user may move issues out of the project and into it. */
export function canMoveIssues(context: Context, { user }: SignedInCaller, project: ProjectRecord): boolean {
  const access = context.get(Access);
  const level = access.levelInProject(user, project);
  return !project.archived && canSeeIssuesOf(access, user, project) && level >= plannerLevel;
}

function milestoneIn(store: Store, target: ProjectRecord, { milestone_id }: IssueRecord): number | null {
  const [id] = milestone_id === null ? [] : remainingIds(store, "milestone", [milestone_id]);
  return id !== undefined && isMilestoneOf(store, target, id) ? id : null;
}

/** Labels of the same titles, made where they are not there. */
function labelsIn(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  target: ProjectRecord,
  issue: IssueRecord,
): number[] {
  const titles = remainingIds(context.store, "label", issue.label_ids)
    .map((id) => context.store.of(labels).get(id)?.title)
    .filter((title) => title !== undefined);
  const places = sourcesAbove(context.store, target) as [ReturnType<typeof sourcesAbove>[number]];
  return findOrInsertLabels(tx, context, caller, places, titles, true).sort((one, other) => one - other);
}

function copyNotes(tx: Transaction, store: Store, from: IssueRecord, to: IssueRecord): void {
  for (const id of [...store.of(notes).by.noteable.find(subjectKey(issueRef(from)))]) {
    const note = store.of(notes).get(id);
    if (note !== undefined) tx.insert(notes, { ...note, id: tx.nextId("notes"), noteable_id: to.id });
  }
}
