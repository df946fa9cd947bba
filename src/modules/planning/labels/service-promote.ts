import type { Caller } from "../../../domain/caller.ts";
import { invalid, notFound } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { projectsBelow } from "../../core/namespaces/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { unlinkEverywhere } from "../pending-unlinks/index.ts";
import { moveSubscriptions } from "../subscriptions/index.ts";
import { labelEvents } from "./events.ts";
import type { LabelRecord } from "./records.ts";
import { removeLabel, requireLabelManager } from "./service.ts";
import { findOwnLabel } from "./service-find.ts";
import { movePriorities } from "./service-priorities.ts";

/**
 * `PUT /projects/:id/labels/promote`: the project's label becomes one of its group, and those of the same title in the
 * group's other projects become part of it. Throws 404, 400 for a project outside of groups, and 403.
 */
export function promoteLabel(context: Context, caller: Caller, project: ProjectRecord, name: string): LabelRecord {
  const { store } = context;
  const label = findOwnLabel(store, { type: "project", id: project.id }, name);
  if (label === undefined) throw notFound("Label");
  const group = store.of(groups).get(project.namespace_id);
  if (group === undefined) throw invalid("Failed to promote project label to group label");
  const source: SourceRef = { type: "group", id: group.id };
  requireLabelManager(context, caller, source);
  const others = ownersOfTitle(context, group.id, label.title).filter(({ id }) => id !== label.id);
  return store.transact((tx) => {
    const there = findOwnLabel(store, source, label.title);
    const promoted = there ?? updateRecord(tx, context, caller, labelEvents, asGroupLabel(context, label, group.id));
    for (const other of there === undefined ? others : [label, ...others])
      merge(tx, context, caller, other, promoted.id);
    return promoted;
  });
}

function asGroupLabel({ clock }: Context, label: LabelRecord, groupId: number): LabelRecord {
  return { ...label, source_type: "group", source_id: groupId, updated_at: toDateTime(clock.now()) };
}

/** Labels of this title of projects anywhere below a group. */
function ownersOfTitle({ store }: Context, groupId: number, title: string): LabelRecord[] {
  return projectsBelow(store, groupId)
    .map((id) => findOwnLabel(store, { type: "project", id }, title))
    .filter((label) => label !== undefined);
}

function merge(tx: Transaction, context: Context, caller: Caller, { id }: LabelRecord, intoId: number): void {
  movePriorities(tx, context.store, id, intoId);
  moveSubscriptions(tx, context.store, { type: "Label", id }, { type: "Label", id: intoId });
  unlinkEverywhere(tx, context, "label", id, intoId);
  removeLabel(tx, context, caller, id);
}
