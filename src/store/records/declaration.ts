import type { StoredDocument } from "../indexes/index.ts";
import type { RecordSchema } from "./record.ts";
import type { References } from "./references.ts";
import type { Secrets } from "./secrets.ts";

/** The sequence that gives the ids of a collection, when the number that it gave is not the id itself. */
export interface DerivedSequence {
  readonly name: string;
  readonly numberOf: (document: StoredDocument) => number;
}

/** Options of a collection or log besides its schema. tsc refuses a field name that the schema does not have. */
export interface RecordOptions<T> {
  /** Secret fields, and public ones whose names sound secret; see `Secret`. */
  readonly secrets?: Secrets<T>;
  /** An export without secrets leaves all of it out. */
  readonly isSecret?: boolean;
  /** Gives the ids; the collection's name with underscores when left out. undefined: the ids are those of other documents. */
  readonly sequence?: string | DerivedSequence | undefined;
  /** Gives the `iid`, which each project or group counts from 1. */
  readonly iidSequence?: T extends { readonly iid: number } ? (document: T) => string : never;
  /** References to documents that must exist: without them, a document would have no place or no author. */
  readonly references?: References<T>;
  /** The name that records of other collections have for the type of these documents, such as `Issue` in `noteable_type`. */
  readonly typeName?: string;
}

/** Description of a collection or log, for code that reads and writes the documents of all of them alike. */
export interface RecordDeclaration {
  readonly name: string;
  readonly schema: RecordSchema;
  readonly secrets: Secrets<unknown>;
  readonly isSecret: boolean;
  readonly references: References<unknown>;
  readonly typeName: string | undefined;
  /** The sequences that must not give the numbers of a document again, each with that number. */
  readonly sequencesUsedBy: (document: StoredDocument) => readonly (readonly [sequence: string, number])[];
}

export function declareRecord<T>(name: string, schema: RecordSchema, options: RecordOptions<T>): RecordDeclaration {
  const { secrets = {}, isSecret = false, references = {}, typeName } = options;
  return { name, schema, secrets, isSecret, references, typeName, sequencesUsedBy: sequencesUsedBy(name, options) };
}

function sequencesUsedBy<T>(name: string, options: RecordOptions<T>): RecordDeclaration["sequencesUsedBy"] {
  const sequence = "sequence" in options ? options.sequence : name.replaceAll("-", "_");
  const iidSequence = options.iidSequence as ((document: StoredDocument) => string) | undefined;
  return (document) => [...ofId(sequence, document), ...ofIid(iidSequence, document)];
}

function ofId(sequence: string | DerivedSequence | undefined, document: StoredDocument): [string, number][] {
  if (sequence === undefined) return [];
  return typeof sequence === "string" ? [[sequence, document.id]] : [[sequence.name, sequence.numberOf(document)]];
}

function ofIid(sequence: ((document: StoredDocument) => string) | undefined, document: StoredDocument) {
  if (sequence === undefined) return [];
  return [[sequence(document), (document as StoredDocument & { readonly iid: number }).iid] as const];
}
