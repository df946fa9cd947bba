import type { StoredDocument } from "../indexes/index.ts";
import type { RecordSchema } from "./record.ts";
import type { References } from "./references.ts";
import type { Secrets } from "./secrets.ts";

/** A sequence whose number is not the id itself, but gives it. */
export interface DerivedSequence {
  readonly name: string;
  readonly numberOf: (document: StoredDocument) => number;
}

/** Options of a collection or log besides its schema. tsc refuses a field name that the schema does not have. */
export interface RecordOptions<T> {
  /** Secret fields, and public fields whose names sound secret; see `Secret`. */
  readonly secrets?: Secrets<T>;
  /** True when an export without secrets leaves out the whole collection. */
  readonly isSecret?: boolean;
  /**
   * The sequence of the ids; default: the collection's name with underscores. undefined when the ids are those of other
   * documents.
   */
  readonly sequence?: string | DerivedSequence | undefined;
  /** Returns the sequence of the `iid`, which each project or group counts from 1. */
  readonly iidSequence?: T extends { readonly iid: number } ? (document: T) => string : never;
  /** References to documents that must exist. Without them, a document would have no project or no author. */
  readonly references?: References<T>;
  /** The name that records of other collections have for the type of these documents, such as `Issue` in `noteable_type`. */
  readonly typeName?: string;
}

/** The description of a collection or log, for code that treats all of them alike. */
export interface RecordDeclaration {
  readonly name: string;
  readonly schema: RecordSchema;
  readonly secrets: Secrets<unknown>;
  readonly isSecret: boolean;
  readonly references: References<unknown>;
  readonly typeName: string | undefined;
  /** Returns the sequences that must not give the numbers of a document again, each with that number. */
  readonly sequencesUsedBy: (document: StoredDocument) => readonly (readonly [sequence: string, number])[];
}

/** The form of the names of collections and logs, which are names of folders: backups know no others. */
const nameForm = /^[a-z]+(?:-[a-z]+)*$/;

/** Throws for a name that is not kebab-case. */
export function declareRecord<T>(name: string, schema: RecordSchema, options: RecordOptions<T>): RecordDeclaration {
  if (!nameForm.test(name)) throw new Error(`the name of the collection ${JSON.stringify(name)} is not kebab-case`);
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
