import type { Store, Transaction } from "../../../store/index.ts";
import { type LabelPriorityRecord, labelPriorities, priorityKey } from "./records.ts";

/** null: the label has none in the project. */
export function priorityOf(store: Store, labelId: number, projectId: number): number | null {
  return rowOf(store, labelId, projectId)?.priority ?? null;
}

/** null removes it. */
export function updatePriority(
  tx: Transaction,
  store: Store,
  labelId: number,
  projectId: number,
  priority: number | null,
): void {
  const before = rowOf(store, labelId, projectId);
  if (priority === null) {
    if (before !== undefined) tx.remove(labelPriorities, before.id);
  } else if (before !== undefined) tx.update(labelPriorities, { ...before, priority });
  else {
    const id = tx.nextId("label_priorities");
    tx.insert(labelPriorities, { id, label_id: labelId, project_id: projectId, priority });
  }
}

/** Removes at most `limit` priorities of a label, or in a project, and returns how many. */
export function removePrioritiesOf(
  tx: Transaction,
  store: Store,
  index: "label_id" | "project_id",
  id: number,
  limit = Number.POSITIVE_INFINITY,
): number {
  const rows = [...store.of(labelPriorities).by[index].find(id)].slice(0, limit);
  for (const row of rows) tx.remove(labelPriorities, row);
  return rows.length;
}

/** Gives the priorities of one label to another, where that has none. */
export function movePriorities(tx: Transaction, store: Store, fromId: number, toId: number): void {
  for (const id of [...store.of(labelPriorities).by.label_id.find(fromId)]) {
    const row = store.of(labelPriorities).get(id) as LabelPriorityRecord;
    if (rowOf(store, toId, row.project_id) === undefined) tx.update(labelPriorities, { ...row, label_id: toId });
    else tx.remove(labelPriorities, id);
  }
}

function rowOf(store: Store, labelId: number, projectId: number): LabelPriorityRecord | undefined {
  const id = store.of(labelPriorities).by.pair.find(priorityKey(labelId, projectId));
  return id === undefined ? undefined : store.of(labelPriorities).get(id);
}
