import type { StoredDocument } from "../indexes/index.ts";
import { declareRecord, type RecordDeclaration, type RecordOptions } from "../records/declaration.ts";
import type { RecordOf, RecordSchema } from "../records/record.ts";

/** Documents that are only ever appended, and may be more than memory holds: audit events, error occurrences, mails. */
export interface LogDeclaration<T extends StoredDocument> extends RecordDeclaration {
  readonly kind: "log";
  /** Time of the entry, in milliseconds since 1970. */
  readonly timeOf: (document: T) => number;
  /** Keys to look up the entry, such as `author 7`. */
  readonly keysOf: (document: T) => readonly string[];
  /** Its ids are those of other records, so there may be none for a long stretch. */
  readonly hasGaps?: boolean;
  /** Raised with every change of `keysOf`: side indexes of another version are made again by the next start. */
  readonly keysVersion: number;
  /** Entries may be asked for in the order of their times, where these do not rise with the ids; some tens of bytes more each. */
  readonly hasTimeOrder?: boolean;
}

type LogOptions<T extends StoredDocument> = Omit<LogDeclaration<T>, "kind" | "keysVersion" | keyof RecordDeclaration> &
  Partial<Pick<LogDeclaration<T>, "keysVersion">> &
  RecordOptions<T>;

/** The entries are those of the schema. */
export function log<S extends RecordSchema & { readonly static: StoredDocument }>(
  name: string,
  schema: S,
  options: LogOptions<RecordOf<S>>,
): LogDeclaration<RecordOf<S>> {
  return { keysVersion: 1, ...options, kind: "log", ...declareRecord<RecordOf<S>>(name, schema, options) };
}
