/** The issues and epics that carry an id. */

import type { Store, Transaction } from "../../../store/index.ts";
import type { Slice } from "../../core/background-jobs/index.ts";
import { firstOf } from "../../kernel/removal.ts";
import { epics } from "../epics/records.ts";
import { issues } from "../issues/records.ts";
import type { CarriedType } from "./records.ts";

/** Replaces an id in issues and epics until the slice is full; null: removes it. */
export function replaceInCarriers(
  tx: Transaction,
  store: Store,
  type: CarriedType,
  id: number,
  into: number | null,
  slice: Slice,
): void {
  if (type === "label") replaceLabel(tx, store, id, into, slice);
  else replaceMilestone(tx, store, id, into, slice);
}

export function hasCarriers(store: Store, type: CarriedType, id: number): boolean {
  if (type === "milestone") return store.of(issues).by.milestone_id.find(id).size > 0;
  return store.of(issues).by.label_id.find(id).size + store.of(epics).by.label_id.find(id).size > 0;
}

function replaceLabel(tx: Transaction, store: Store, id: number, into: number | null, slice: Slice): void {
  for (const each of firstOf(store.of(issues).by.label_id.find(id), slice.room)) {
    const issue = store.of(issues).get(each);
    if (slice.isFull) return;
    if (issue === undefined) continue;
    tx.update(issues, { ...issue, label_ids: replaced(issue.label_ids, id, into) });
    slice.add(1);
  }
  for (const each of firstOf(store.of(epics).by.label_id.find(id), slice.room)) {
    const epic = store.of(epics).get(each);
    if (slice.isFull) return;
    if (epic === undefined) continue;
    tx.update(epics, { ...epic, label_ids: replaced(epic.label_ids, id, into) });
    slice.add(1);
  }
}

function replaceMilestone(tx: Transaction, store: Store, id: number, into: number | null, slice: Slice): void {
  for (const each of firstOf(store.of(issues).by.milestone_id.find(id), slice.room)) {
    const issue = store.of(issues).get(each);
    if (slice.isFull) return;
    if (issue === undefined) continue;
    tx.update(issues, { ...issue, milestone_id: into });
    slice.add(1);
  }
}

function replaced(ids: readonly number[], id: number, into: number | null): readonly number[] {
  const rest = ids.filter((each) => each !== id && each !== into);
  return into === null ? rest : [...rest, into];
}
