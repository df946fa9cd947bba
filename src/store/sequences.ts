import { collection, type Documents } from "./collection.ts";
import { unique } from "./indexes/index.ts";

/** The last number that a sequence gave out. Journalled with the change that took it. */
export interface SequenceRecord {
  readonly id: number;
  readonly name: string;
  readonly last: number;
}

export const sequences = collection<SequenceRecord>()("sequences", {
  name: unique((sequence) => sequence.name),
});

/** The last number that a sequence gave out; 0 for none. */
export function lastIdOf(given: Documents<SequenceRecord, typeof sequences.indexes>, name: string): number {
  const id = given.by.name.find(name);
  return id === undefined ? 0 : (given.get(id)?.last ?? 0);
}
