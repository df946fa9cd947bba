/** The making of an epic from an issue. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { subjectKey } from "../../../domain/subject.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groupsAbove } from "../../core/access/index.ts";
import { notes } from "../../discussions/notes/records.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish, subscribe } from "../../kernel/event.ts";
import { closeIssue, type IssuePromotion, issuePromotionRequested } from "../issues/index.ts";
import type { IssueRecord } from "../issues/records.ts";
import { findLabel } from "../labels/index.ts";
import { labels } from "../labels/records.ts";
import { remainingIds } from "../pending-unlinks/index.ts";
import { issuePromoted } from "./events.ts";
import type { EpicRecord } from "./records.ts";
import { insertEpic } from "./service-create.ts";
import { hasRoomBelow } from "./validation.ts";

/** Makes an epic in the project's group, below the one that the issue is in, and closes the issue. */
export const issuePromotion = subscribe(issuePromotionRequested, { run: promote });

function promote(tx: Transaction, context: Context, { caller, issue }: IssuePromotion): void {
  const { store } = context;
  const project = store.of(projects).get(issue.project_id);
  const group = project === undefined ? undefined : store.of(groups).get(project.namespace_id);
  if (group === undefined) throw new Error(`issue ${issue.id} is in no group`);
  const { title, description, confidential, epic_id } = issue;
  const epic = insertEpic(tx, context, caller, {
    ...{ title, description, confidential },
    group_id: group.id,
    parent_id: epic_id !== null && hasRoomBelow(context, epic_id) ? epic_id : null,
    label_ids: labelsIn(store, group.id, issue),
  });
  copyNotes(tx, store, issue, epic);
  publish(tx, context, issuePromoted, { caller, epic, issue: close(tx, context, caller, issue, epic) });
}

function close(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  epic: EpicRecord,
): IssueRecord {
  return closeIssue(tx, context, caller, issue, { promoted_to_epic_id: epic.id });
}

/** The labels that the group, or one above it, has under the titles of those of the issue. */
function labelsIn(store: Store, groupId: number, issue: IssueRecord): number[] {
  const places = groupsAbove(store, groupId);
  const found = remainingIds(store, "label", issue.label_ids).flatMap((id) => {
    const title = store.of(labels).get(id)?.title;
    return (title === undefined ? undefined : findLabel(store, places, title)) ?? [];
  });
  return [...new Set(found)].sort((one, other) => one - other);
}

function copyNotes(tx: Transaction, store: Store, issue: IssueRecord, epic: EpicRecord): void {
  for (const id of [...store.of(notes).by.noteable.find(subjectKey({ type: "Issue", id: issue.id }))]) {
    const note = store.of(notes).get(id);
    if (note !== undefined) {
      tx.insert(notes, { ...note, id: tx.nextId("notes"), noteable_type: "Epic", noteable_id: epic.id });
    }
  }
}
