import { collection } from "./collection.ts";
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
