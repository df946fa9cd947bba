import { collection, type Documents } from "../collection.ts";
import { unique } from "../indexes/index.ts";
import { field, type RecordOf, record } from "../records/record.ts";
import type { Transaction } from "../transaction.ts";

/** Records how far a log was dropped, as an ordinary document: the journal, a check and a copy include it. */
export const LogMark = record({
  id: field.whole,
  /** Of the log. */
  name: field.text,
  /** Entries with a smaller id are gone, whatever files or the journal still hold of them. */
  below: field.whole,
});
export type LogMark = RecordOf<typeof LogMark>;

export const logMarks = collection("log-marks", LogMark, {
  indexes: { name: unique((mark) => mark.name) },
  sequence: undefined,
});

export function keepLogMark(
  tx: Transaction,
  { by, size }: Documents<LogMark, typeof logMarks.indexes>,
  name: string,
  below: number,
): void {
  const id = by.name.find(name);
  if (id === undefined) tx.insert(logMarks, { id: size + 1, name, below });
  else tx.update(logMarks, { id, name, below });
}
