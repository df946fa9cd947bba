import { collection, field, multi, type RecordOf, record, unique } from "../../../store/index.ts";

/** What issues and epics hold the id of. */
export type CarriedType = "label" | "milestone";

/**
 * That a label or milestone is gone while issues or epics still hold its id. Nobody sees it any more; a job takes the
 * id out of them, or puts the other one's in its place, and then removes this record.
 */
export const PendingUnlinkRecord = record({
  id: field.whole,
  type: field.oneOf("label", "milestone"),
  gone_id: field.whole,
  /** What it was merged into; null: it was deleted. */
  into_id: field.nullable(field.whole),
});
export type PendingUnlinkRecord = RecordOf<typeof PendingUnlinkRecord>;

export const departures = collection("departures", PendingUnlinkRecord, {
  indexes: {
    gone: unique(({ type, gone_id }) => carriedKey(type, gone_id)),
    into: multi(({ type, into_id }) => (into_id === null ? [] : [carriedKey(type, into_id)])),
    /** The deleted ones of each type. */
    deleted: multi(({ type, into_id }) => (into_id === null ? [type] : [])),
  },
});

export function carriedKey(type: CarriedType, id: number): string {
  return `${type} ${id}`;
}
