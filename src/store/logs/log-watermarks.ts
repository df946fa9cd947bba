import { collection, type Documents } from "../collection.ts";
import { unique } from "../indexes/index.ts";
import { field, type RecordOf, record } from "../records/record.ts";
import type { Transaction } from "../transaction.ts";

/** The id below which a log was dropped. It is an ordinary document, so the journal, checks and copies include it. */
export const LogWatermark = record({
  id: field.whole,
  /** The name of the log. */
  name: field.text,
  /** Entries with a smaller id are dropped, even if files or the journal still have them. */
  below: field.whole,
});
export type LogWatermark = RecordOf<typeof LogWatermark>;

export const logWatermarks = collection("log-watermarks", LogWatermark, {
  indexes: { name: unique((watermark) => watermark.name) },
  sequence: undefined,
});

export function keepLogWatermark(
  tx: Transaction,
  { by, size }: Documents<LogWatermark, typeof logWatermarks.indexes>,
  name: string,
  below: number,
): void {
  const id = by.name.find(name);
  if (id === undefined) tx.insert(logWatermarks, { id: size + 1, name, below });
  else tx.update(logWatermarks, { id, name, below });
}
