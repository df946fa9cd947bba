import { type Caller, theServer } from "../../../domain/caller.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import {
  groupEvents,
  groupRemovalStep,
  projectEvents,
  removeNamespace,
  updateGroupRecord,
} from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { RemovalBudget } from "../../kernel/removal.ts";
import { removeProjectPart } from "../projects/index.ts";
import { type ProjectRecord, projects } from "../projects/records.ts";
import { recordGroupEvent } from "./audit.ts";
import { type GroupRecord, groups } from "./records.ts";

/** Marks of subgroups and projects that go into the transaction of the deletion; lists lose the others with the job. */
const marksMax = 500;
/** Documents that one step of the job takes. */
const stepMax = 50;

/** `DELETE /groups/:id` (groups-and-projects 2.1): it is hidden from all users, and a job removes it. Throws 412. */
export function deleteGroup(
  context: Context,
  caller: Caller,
  group: GroupRecord,
  unmodifiedSince: string | undefined,
): void {
  requireUnmodified(group, unmodifiedSince);
  context.store.transact((tx) => acceptGroupDeletion(tx, context, caller, group));
}

/** The path is free at once, since no path that can be given has a `~`. */
export function acceptGroupDeletion(tx: Transaction, context: Context, caller: Caller, group: GroupRecord): void {
  const { store } = context;
  recordGroupEvent(tx, context, caller, group, "group_destroyed", { custom_message: "Group destroyed" });
  publish(tx, context, groupEvents.deleted, { caller, before: group, after: undefined });
  updateGroupRecord(tx, store, {
    ...group,
    name: `${group.name}~${group.id}`,
    path: `${group.path}~${group.id}`,
    is_being_deleted: true,
    updated_at: toDateTime(context.clock.now()),
  });
  markBelow(tx, context, caller, group.id);
  enqueueJob(tx, context, { kind: groupDeletion.kind, payload: { group_id: group.id } });
}

/** Marks groups and projects for lists, which leave them out; single ones below a deleted group are hidden anyway. */
function markBelow(tx: Transaction, context: Context, caller: Caller, groupId: number): void {
  const { store } = context;
  let left = marksMax;
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const projectId of [...store.of(projects).by.namespace_id.find(id)]) {
      if (left === 0) return;
      markProject(tx, context, caller, store.of(projects).get(projectId) as ProjectRecord);
      left -= 1;
    }
    for (const child of [...store.of(groups).by.parent_id.find(id)]) {
      if (left === 0) return;
      markGroup(tx, context, caller, store.of(groups).get(child) as GroupRecord);
      left -= 1;
      waiting.push(child);
    }
  }
}

function markProject(tx: Transaction, context: Context, caller: Caller, project: ProjectRecord): void {
  if (project.is_being_deleted === true) return;
  publish(tx, context, projectEvents.deleted, { caller, before: project, after: undefined });
  tx.update(projects, { ...project, is_being_deleted: true });
}

function markGroup(tx: Transaction, context: Context, caller: Caller, group: GroupRecord): void {
  if (group.is_being_deleted === true) return;
  publish(tx, context, groupEvents.deleted, { caller, before: group, after: undefined });
  tx.update(groups, { ...group, is_being_deleted: true });
}

/** Removes a group with all below it, from the leaves up. */
export const groupDeletion: JobKind = jobKind<{ readonly group_id: number }>({
  kind: "group_deletion",
  async run({ context, payload, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = context.store.transact((tx) => {
        const isGone = removeSome(tx, context, payload.group_id);
        if (isGone) complete(tx);
        return isGone;
      });
    }
  },
});

/** Removes some things of the group or below it; true when the group itself is removed. */
function removeSome(tx: Transaction, context: Context, rootId: number): boolean {
  const { store } = context;
  for (let left = stepMax; left > 0; left -= 1) {
    const group = store.of(groups).get(lowestOf(store, rootId));
    if (group === undefined) return true;
    markGroup(tx, context, theServer, group);
    const [projectId] = store.of(projects).by.namespace_id.find(group.id);
    if (projectId !== undefined) {
      markProject(tx, context, theServer, store.of(projects).get(projectId) as ProjectRecord);
      left -= removeProjectPart(tx, context, store.of(projects).get(projectId) as ProjectRecord, left);
      continue;
    }
    const budget = new RemovalBudget(tx, left);
    publish(tx, context, groupRemovalStep, { group, budget });
    left = budget.left;
    if (left <= 0) return false;
    removeNamespace(tx, store, group.id);
    if (group.id === rootId) return true;
  }
  return false;
}

/** The first group that has none below it. */
function lowestOf(store: Store, groupId: number): number {
  let id = groupId;
  for (;;) {
    const [child] = store.of(groups).by.parent_id.find(id);
    if (child === undefined) return id;
    id = child;
  }
}
