import type { StoredDocument } from "../indexes/index.ts";
import { declareRecord, type RecordDeclaration, type RecordOptions } from "../records/declaration.ts";
import type { RecordOf, RecordSchema } from "../records/record.ts";

/** Documents that are only appended and may not fit in memory: audit events, error occurrences, mails. */
export interface LogDeclaration<T extends StoredDocument> extends RecordDeclaration {
  readonly kind: "log";
  /** Returns the time of the entry, in milliseconds since 1970. */
  readonly timeOf: (document: T) => number;
  /** Returns the keys that find the entry, such as `author 7`. */
  readonly keysOf: (document: T) => readonly string[];
  /** True when its ids are those of other records, so that long gaps are possible. */
  readonly hasGaps?: boolean;
  /** Must rise with every change of `keysOf`. The next start rebuilds side indexes of another version. */
  readonly keysVersion: number;
  /**
   * True when entries can be listed by time although their times do not ascend with the ids. Costs some tens of bytes per
   * entry.
   */
  readonly hasTimeOrder?: boolean;
}

type LogOptions<T extends StoredDocument> = Omit<LogDeclaration<T>, "kind" | "keysVersion" | keyof RecordDeclaration> &
  Partial<Pick<LogDeclaration<T>, "keysVersion">> &
  RecordOptions<T>;

/** Declares a log with entries of the schema. */
export function log<S extends RecordSchema & { readonly static: StoredDocument }>(
  name: string,
  schema: S,
  options: LogOptions<RecordOf<S>>,
): LogDeclaration<RecordOf<S>> {
  return { keysVersion: 1, ...options, kind: "log", ...declareRecord<RecordOf<S>>(name, schema, options) };
}
