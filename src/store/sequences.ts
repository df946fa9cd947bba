import { collection, type Documents } from "./collection.ts";
import { unique } from "./indexes/index.ts";
import { field, type RecordOf, record } from "./records/record.ts";

/** The last number that a sequence gave. The journal has it with the change that used it. */
export const SequenceRecord = record({ id: field.whole, name: field.text, last: field.whole });
export type SequenceRecord = RecordOf<typeof SequenceRecord>;

export const sequences = collection("sequences", SequenceRecord, {
  indexes: { name: unique((sequence) => sequence.name) },
  sequence: undefined,
});

/** Returns the last number that a sequence gave; 0 when there is none. */
export function lastIdOf(given: Documents<SequenceRecord, typeof sequences.indexes>, name: string): number {
  const id = given.by.name.find(name);
  return id === undefined ? 0 : (given.get(id)?.last ?? 0);
}
