import type { Store, Transaction } from "../../../store/index.ts";
import { epics, issues } from "../records/index.ts";
import type { CarriedType } from "./records.ts";

/** Replaces an id in at most `limit` issues and epics, null: takes it out. Tells how many it changed. */
export function replaceInCarriers(
  tx: Transaction,
  store: Store,
  type: CarriedType,
  id: number,
  into: number | null,
  limit: number,
): number {
  return type === "label" ? replaceLabel(tx, store, id, into, limit) : replaceMilestone(tx, store, id, into, limit);
}

export function hasCarriers(store: Store, type: CarriedType, id: number): boolean {
  if (type === "milestone") return store.of(issues).by.milestone_id.find(id).size > 0;
  return store.of(issues).by.label_id.find(id).size + store.of(epics).by.label_id.find(id).size > 0;
}

function replaceLabel(tx: Transaction, store: Store, id: number, into: number | null, limit: number): number {
  const fromIssues = firstOf(store.of(issues).by.label_id.find(id), limit);
  for (const each of fromIssues) {
    const issue = store.of(issues).get(each);
    if (issue !== undefined) tx.update(issues, { ...issue, label_ids: replaced(issue.label_ids, id, into) });
  }
  const fromEpics = firstOf(store.of(epics).by.label_id.find(id), limit - fromIssues.length);
  for (const each of fromEpics) {
    const epic = store.of(epics).get(each);
    if (epic !== undefined) tx.update(epics, { ...epic, label_ids: replaced(epic.label_ids, id, into) });
  }
  return fromIssues.length + fromEpics.length;
}

function replaceMilestone(tx: Transaction, store: Store, id: number, into: number | null, limit: number): number {
  const ids = firstOf(store.of(issues).by.milestone_id.find(id), limit);
  for (const each of ids) {
    const issue = store.of(issues).get(each);
    if (issue !== undefined) tx.update(issues, { ...issue, milestone_id: into });
  }
  return ids.length;
}

function replaced(ids: readonly number[], id: number, into: number | null): readonly number[] {
  const rest = ids.filter((each) => each !== id && each !== into);
  return into === null ? rest : [...rest, into];
}

function firstOf(ids: Iterable<number>, limit: number): number[] {
  const first: number[] = [];
  for (const id of ids) {
    if (first.length >= limit) break;
    first.push(id);
  }
  return first;
}
