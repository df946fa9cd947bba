import { collection, field, multi, type RecordOf, record, unique } from "../../../store/index.ts";

/** Types of the things whose ids issues and epics hold. */
export type CarriedType = "label" | "milestone";

/**
 * A label or milestone that is gone while issues or epics still hold its id. No user sees it any more; a job removes
 * the id from them, or replaces it with `into_id`, and then removes this record.
 */
export const PendingUnlinkRecord = record({
  id: field.whole,
  type: field.oneOf("label", "milestone"),
  deleted_id: field.whole,
  /** The label or milestone that it was merged into; null: it was deleted. */
  into_id: field.nullable(field.whole),
});
export type PendingUnlinkRecord = RecordOf<typeof PendingUnlinkRecord>;

export const pendingUnlinks = collection("pending-unlinks", PendingUnlinkRecord, {
  indexes: {
    deleted_id: unique(({ type, deleted_id }) => carriedKey(type, deleted_id)),
    into: multi(({ type, into_id }) => (into_id === null ? [] : [carriedKey(type, into_id)])),
    /** The deleted ones of each type. */
    deleted: multi(({ type, into_id }) => (into_id === null ? [type] : [])),
  },
});

export function carriedKey(type: CarriedType, id: number): string {
  return `${type} ${id}`;
}
