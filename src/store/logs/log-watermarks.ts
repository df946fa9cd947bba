import { collection } from "../collection.ts";
import { unique } from "../indexes/index.ts";
import type { Store } from "../store.ts";
import type { Transaction } from "../transaction.ts";

/** How far a log was dropped: a document as any other, so that the journal, a check and a copy know of it. */
export interface LogMark {
  readonly id: number;
  /** Of the log. */
  readonly name: string;
  /** Entries with a smaller id are gone, whatever files or the journal still hold of them. */
  readonly below: number;
}

export const logMarks = collection<LogMark>()("log-marks", { name: unique((mark) => mark.name) });

export function keepLogMark(tx: Transaction, store: Store, name: string, below: number): void {
  const { by, size } = store.of(logMarks);
  const id = by.name.find(name);
  if (id === undefined) tx.insert(logMarks, { id: size + 1, name, below });
  else tx.update(logMarks, { id, name, below });
}
