/** Labels and milestones of the groups that a project or group was below before it was transferred. */

import type { Store, Transaction } from "../../../store/index.ts";
import type { SourceRef } from "../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { placeTransferred, projects, projectsBelow, selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { insertMilestone } from "../milestones/index.ts";
import { remainingIds } from "../pending-unlinks/index.ts";
import {
  epics,
  findLabel,
  groupsAbove,
  insertLabel,
  issues,
  labels,
  milestones,
  sourceOf,
  sourcesAbove,
  titleKey,
} from "../records/index.ts";

type Places = readonly [SourceRef, ...SourceRef[]];

/** A transfer leaves issues and epics with labels and milestones of groups that are not above them any more: a job replaces these. */
export const relinkingOfTransfers = subscribe(placeTransferred, {
  run: (tx, context, place) => void enqueueJob(tx, context, { kind: placeRelinking.kind, payload: place }),
});

/** Gives issues and epics the labels and milestones of the same titles in their new place, and makes those that are missing. */
export const placeRelinking: JobKind = jobKind<SourceRef>({
  kind: "transferred_place",
  async run({ context, payload: { type, id }, pace }) {
    const { store } = context;
    for (const projectId of type === "project" ? [id] : projectsBelow(store, id)) {
      for (const issueId of [...store.of(issues).by.project_id.find(projectId)]) {
        await pace();
        relinkIssue(context, issueId);
      }
    }
    for (const groupId of type === "project" ? [] : selfAndDescendants(store, id)) {
      for (const epicId of [...store.of(epics).by.group_id.find(groupId)]) {
        await pace();
        relinkEpic(context, epicId);
      }
    }
  },
});

function relinkIssue(context: Context, id: number): void {
  const { store } = context;
  const issue = store.of(issues).get(id);
  const project = store.of(projects).get(issue?.project_id ?? 0);
  if (issue === undefined || project === undefined) return;
  const places = sourcesAbove(store, project) as [SourceRef, ...SourceRef[]];
  const milestone = issue.milestone_id === null ? undefined : store.of(milestones).get(issue.milestone_id);
  const hasStrange = milestone !== undefined && !isAmong(places, sourceOf(milestone));
  if (!hasStrange && strangeLabels(store, places, issue.label_ids).length === 0) return;
  store.transact((tx) => {
    const label_ids = relinkedLabels(tx, context, places, issue.label_ids);
    const milestone_id = hasStrange ? milestoneLike(tx, context, places, milestone.id) : issue.milestone_id;
    tx.update(issues, { ...issue, label_ids, milestone_id });
  });
}

function relinkEpic(context: Context, id: number): void {
  const { store } = context;
  const epic = store.of(epics).get(id);
  if (epic === undefined) return;
  const places = groupsAbove(store, epic.group_id) as [SourceRef, ...SourceRef[]];
  if (strangeLabels(store, places, epic.label_ids).length === 0) return;
  store.transact((tx) => tx.update(epics, { ...epic, label_ids: relinkedLabels(tx, context, places, epic.label_ids) }));
}

/** The labels among these that no place has. */
function strangeLabels(store: Store, places: Places, ids: readonly number[]): number[] {
  return ids.filter((id) => {
    const label = store.of(labels).get(id);
    return label !== undefined && !isAmong(places, sourceOf(label));
  });
}

function relinkedLabels(tx: Transaction, context: Context, places: Places, ids: readonly number[]): number[] {
  const { store } = context;
  const present = remainingIds(store, "label", ids);
  const strange = new Set(strangeLabels(store, places, present));
  const found = [...strange].map((id) => labelLike(tx, context, places, id));
  return [...new Set([...present.filter((id) => !strange.has(id)), ...found])].sort((one, other) => one - other);
}

function labelLike(tx: Transaction, context: Context, places: Places, id: number): number {
  const label = context.store.of(labels).get(id);
  if (label === undefined) throw new Error(`label ${id} is gone`);
  const { title, color, description } = label;
  return (
    findLabel(context.store, places, title) ?? insertLabel(tx, context, places[0], { title, color, description }).id
  );
}

function milestoneLike(tx: Transaction, context: Context, places: Places, id: number): number | null {
  const [current] = remainingIds(context.store, "milestone", [id]);
  const milestone = context.store.of(milestones).get(current ?? 0);
  if (milestone === undefined) return null;
  for (const place of places) {
    const found = context.store.of(milestones).by.title_in_source.find(titleKey(place, milestone.title));
    if (found !== undefined) return found;
  }
  return insertMilestone(tx, context, places[0], milestone).id;
}

function isAmong(places: Places, { type, id }: SourceRef): boolean {
  return places.some((place) => place.type === type && place.id === id);
}
