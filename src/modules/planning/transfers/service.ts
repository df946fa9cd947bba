/** Labels and milestones of the groups that a project or group was below before it was transferred. */

import { theServer } from "../../../domain/caller.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { sourceOf } from "../../../domain/source.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groupsAbove, sourcesAbove } from "../../core/access/index.ts";
import { enqueueJob, type JobKind, jobKind, type LongWork } from "../../core/background-jobs/index.ts";
import { groupEvents, projectEvents, projectsBelow, selfAndDescendants } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { mergeRequests } from "../../merge-requests/merge-requests/records.ts";
import { epics } from "../epics/records.ts";
import type { Issuable, IssuableCollection } from "../issuables/records.ts";
import { issues } from "../issues/records.ts";
import { findLabel, insertLabel } from "../labels/index.ts";
import { labels, titleKey } from "../labels/records.ts";
import { insertMilestone } from "../milestones/index.ts";
import { milestones } from "../milestones/records.ts";
import { remainingIds } from "../pending-unlinks/index.ts";

/** A transfer leaves issues, merge requests and epics with labels and milestones of groups that are not above them any more: a job replaces these. */
export const relinkingOfTransfers = [
  subscribe(projectEvents.updated, {
    run(tx, context, { before, after: { id, namespace_id } }) {
      if (before.namespace_id !== namespace_id) relink(tx, context, { type: "project", id });
    },
  }),
  subscribe(groupEvents.updated, {
    run(tx, context, { before, after: { id, parent_id } }) {
      if (before.parent_id !== parent_id) relink(tx, context, { type: "group", id });
    },
  }),
];

function relink(tx: Transaction, context: Context, place: SourceRef): void {
  enqueueJob(tx, context, { kind: placeRelinking.kind, payload: place });
}

/**
 * Gives issues, merge requests and epics the labels and milestones of the same titles in their new place. The job copies those that are missing there
 * to the project or group that was transferred: once, however many projects are below it.
 */
export const placeRelinking: JobKind = jobKind<SourceRef>({
  kind: "transferred_place",
  async run({ context, payload, pace }) {
    const { store } = context;
    const { type, id } = payload;
    const work = { context, home: payload, pace };
    for (const projectId of type === "project" ? [id] : projectsBelow(store, id)) {
      await relinkInProject(work, issues, projectId);
      await relinkInProject(work, mergeRequests, projectId);
    }
    for (const groupId of type === "project" ? [] : selfAndDescendants(store, id)) {
      for (const epicId of [...store.of(epics).by.group_id.find(groupId)]) {
        await pace();
        await relinkEpic(work, epicId);
        // Steps that do not wait for the disk would be one large write in the end.
        await store.settled();
      }
    }
  },
});

/** The work for one transfer. */
interface Relinking {
  readonly context: Context;
  /** The project or group that was transferred. */
  readonly home: SourceRef;
  readonly pace: LongWork["pace"];
}

async function relinkInProject<T extends Issuable>(
  work: Relinking,
  collection: IssuableCollection<T>,
  projectId: number,
): Promise<void> {
  const { store } = work.context;
  for (const id of [...store.of(collection).by.project_id.find(projectId)]) {
    await work.pace();
    await relinkIssuable(work, collection, id);
    await store.settled();
  }
}

async function relinkIssuable<T extends Issuable>(
  work: Relinking,
  collection: IssuableCollection<T>,
  id: number,
): Promise<void> {
  const { store } = work.context;
  const before = store.of(collection).get(id);
  const project = store.of(projects).get(before?.project_id ?? 0);
  if (before === undefined || project === undefined) return;
  const places = sourcesAbove(store, project);
  const label_ids = await relinkedLabels(work, places, before.label_ids);
  const issuable = store.of(collection).get(id);
  if (issuable === undefined) return;
  // Copies of labels take other turns of the event loop.
  if (!Bun.deepEquals(issuable.label_ids, before.label_ids)) return relinkIssuable(work, collection, id);
  const milestone_id = relinkedMilestone(work, places, issuable.milestone_id);
  if (label_ids === undefined && milestone_id === issuable.milestone_id) return;
  store.transact((tx) =>
    tx.update(collection, { ...issuable, label_ids: label_ids ?? issuable.label_ids, milestone_id }),
  );
}

async function relinkEpic(work: Relinking, id: number): Promise<void> {
  const { store } = work.context;
  const before = store.of(epics).get(id);
  if (before === undefined) return;
  const label_ids = await relinkedLabels(work, groupsAbove(store, before.group_id), before.label_ids);
  const epic = store.of(epics).get(id);
  if (label_ids === undefined || epic === undefined) return;
  if (!Bun.deepEquals(epic.label_ids, before.label_ids)) return relinkEpic(work, id);
  store.transact((tx) => tx.update(epics, { ...epic, label_ids }));
}

/** The labels that take the place of these, in rising order; undefined when each is of one of the places. */
async function relinkedLabels(
  work: Relinking,
  places: readonly SourceRef[],
  ids: readonly number[],
): Promise<number[] | undefined> {
  const { store } = work.context;
  if (ids.every((id) => !isStrange(store, places, id))) return undefined;
  const found = new Set<number>();
  for (const id of remainingIds(store, "label", ids)) {
    if (!isStrange(store, places, id)) {
      found.add(id);
      continue;
    }
    await work.pace();
    found.add(labelLike(work, places, id));
    await store.settled();
  }
  return [...found].sort((one, other) => one - other);
}

/** Whether a label is of none of the places. */
function isStrange(store: Store, places: readonly SourceRef[], id: number): boolean {
  const label = store.of(labels).get(id);
  return label !== undefined && !isAmong(places, sourceOf(label));
}

/** The label of the same title in one of the places. Each that is copied is a transaction of its own: it may have a long text. */
function labelLike({ context, home }: Relinking, places: readonly SourceRef[], id: number): number {
  const label = context.store.of(labels).get(id);
  if (label === undefined) return id;
  const { title, color, description } = label;
  const known = findLabel(context.store, places, title);
  return (
    known ?? context.store.transact((tx) => insertLabel(tx, context, theServer, home, { title, color, description }).id)
  );
}

function relinkedMilestone(
  { context, home }: Relinking,
  places: readonly SourceRef[],
  id: number | null,
): number | null {
  const { store } = context;
  const [current] = id === null ? [] : remainingIds(store, "milestone", [id]);
  const milestone = current === undefined ? undefined : store.of(milestones).get(current);
  if (milestone === undefined || isAmong(places, sourceOf(milestone))) return id;
  for (const place of places) {
    const found = store.of(milestones).by.title_in_source.find(titleKey(place, milestone.title));
    if (found !== undefined) return found;
  }
  return store.transact((tx) => insertMilestone(tx, context, theServer, home, milestone).id);
}

function isAmong(places: readonly SourceRef[], { type, id }: SourceRef): boolean {
  return places.some((place) => place.type === type && place.id === id);
}
