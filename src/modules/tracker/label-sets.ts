import { toDateTime } from "../../domain/datetime.ts";
import type { Store, Transaction } from "../../store/index.ts";
import { type SourceRef, sourceKey } from "../access/index.ts";
import type { Context } from "../context.ts";
import { labels } from "./labels.ts";

/** What labels get that somebody names on an issue before anybody made them. */
const colorOfNew = "#6699CC";

/** The label of this title that the nearest of the places has. */
export function findLabel(store: Store, places: readonly SourceRef[], title: string): number | undefined {
  for (const place of places) {
    const id = store.of(labels).by.title_in_source.find(`${sourceKey(place)}\n${title}`);
    if (id !== undefined) return id;
  }
  return undefined;
}

/**
 * The labels of these titles in the places, the nearest first. A title that none has becomes a label of the first place
 * when `mayCreate`, else it is dropped. Without doubles, in rising order.
 */
export function findOrCreateLabels(
  tx: Transaction,
  { store, clock }: Context,
  places: readonly [SourceRef, ...SourceRef[]],
  titles: readonly string[],
  mayCreate: boolean,
): number[] {
  const ids = new Set<number>();
  for (const title of titles) {
    const known = findLabel(store, places, title);
    if (known !== undefined) ids.add(known);
    else if (mayCreate) {
      const id = tx.nextId("labels");
      const now = toDateTime(clock.now());
      const source = { source_type: places[0].type, source_id: places[0].id };
      tx.insert(labels, {
        id,
        ...source,
        title,
        description: null,
        color: colorOfNew,
        created_at: now,
        updated_at: now,
      });
      ids.add(id);
    }
  }
  return [...ids].sort((a, b) => a - b);
}

/** A set of labels without those of these titles. */
export function removeFromLabels(store: Store, ids: readonly number[], titles: readonly string[]): number[] {
  return ids.filter((id) => !titles.includes(store.of(labels).get(id)?.title ?? ""));
}
