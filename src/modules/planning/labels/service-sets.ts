import type { Caller } from "../../../domain/caller.ts";
import { type Failure, invalid } from "../../../domain/failure.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord } from "../../kernel/record-events.ts";
import { labelEvents } from "./events.ts";
import { type LabelRecord, labels, titleKey } from "./records.ts";
import { withoutRivals } from "./scoped-labels.ts";

/** The longest title of a label. */
export const labelTitleLengthMax = 255;

/** Labels of one issue or epic: lists show them all. */
const labelsMax = 250;

/** The colour of labels that an issue names before they exist. */
const colorOfNew = "#6699CC";

/** The label of this title that the nearest of the places has. */
export function findLabel(store: Store, places: readonly SourceRef[], title: string): number | undefined {
  for (const place of places) {
    const id = store.of(labels).by.title_in_source.find(titleKey(place, title));
    if (id !== undefined) return id;
  }
  return undefined;
}

/**
 * The labels of these titles in the places, the nearest first. A title that none has becomes a label of the first place
 * when `mayCreate`, else it is dropped. Without doubles, in the order of the titles.
 */
export function findOrInsertLabels(
  tx: Transaction,
  context: Context,
  caller: Caller,
  places: readonly [SourceRef, ...SourceRef[]],
  titles: readonly string[],
  mayCreate: boolean,
): number[] {
  const ids = new Set<number>();
  for (const title of titles) {
    const known = findLabel(context.store, places, title);
    if (known !== undefined) ids.add(known);
    else if (mayCreate && !exceedsLength(title, labelTitleLengthMax)) {
      const { id } = insertLabel(tx, context, caller, places[0], { title, color: colorOfNew, description: null });
      ids.add(id);
    }
  }
  return [...ids];
}

/** Labels by their titles, as requests name them: all, or those to add and to remove. */
export interface LabelChange {
  readonly labels?: readonly string[] | null | undefined;
  readonly add_labels?: readonly string[] | null | undefined;
  readonly remove_labels?: readonly string[] | null | undefined;
}

/**
 * The labels of an issue or epic after a change, in rising order; undefined where the change names none. Otherwise as
 * `findOrInsertLabels` and `withoutRivals`. Throws 400 for more than `labelsMax`.
 */
export function resolveLabels(
  tx: Transaction,
  context: Context,
  caller: Caller,
  places: readonly [SourceRef, ...SourceRef[]],
  present: readonly number[],
  { labels: all, add_labels, remove_labels }: LabelChange,
  mayCreate: boolean,
): number[] | undefined {
  if (all === undefined && !add_labels && !remove_labels) return undefined;
  // Before any label is created.
  for (const titles of [all, add_labels]) if (mayCreate && new Set(titles).size > labelsMax) throw tooManyLabels();
  const idsOf = (titles: readonly string[]) => findOrInsertLabels(tx, context, caller, places, titles, mayCreate);
  const base = all === undefined ? present : idsOf(all ?? []);
  const named = [...new Set([...base, ...idsOf(add_labels ?? [])])];
  const ids = withoutRivals(context, present, removeFromLabels(context.store, named, remove_labels ?? []));
  if (ids.length > labelsMax) throw tooManyLabels();
  return ids.sort((a, b) => a - b);
}

function tooManyLabels(): Failure {
  return invalid({ labels: [`are too many (maximum is ${labelsMax})`] });
}

/** The title must be free there. */
export function insertLabel(
  tx: Transaction,
  context: Context,
  caller: Caller,
  source: SourceRef,
  attributes: Pick<LabelRecord, "title" | "color" | "description"> & Partial<Pick<LabelRecord, "archived">>,
): LabelRecord {
  const now = toDateTime(context.clock.now());
  return insertRecord(tx, context, caller, labelEvents, {
    id: tx.nextId("labels"),
    source_type: source.type,
    source_id: source.id,
    ...attributes,
    created_at: now,
    updated_at: now,
  });
}

/** A set of labels without those of these titles. */
function removeFromLabels(store: Store, ids: readonly number[], titles: readonly string[]): number[] {
  if (titles.length === 0) return [...ids];
  const gone = new Set(titles);
  return ids.filter((id) => !gone.has(store.of(labels).get(id)?.title ?? ""));
}
