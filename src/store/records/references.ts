import type { StoredDocument } from "../indexes/index.ts";
import type { RecordDeclaration } from "./declaration.ts";

/**
 * The collection of a referenced document: always the same, or determined by another field of the document, through a table or
 * through the `typeName` of a collection.
 */
export type Reference<Name extends string = string> =
  | string
  | { readonly by: Name; readonly of: Readonly<Record<string, string>> }
  | { readonly byTypeIn: Name };

/**
 * The fields that reference other documents. Fields that may reference a deleted document are left out, such as the labels
 * of an issue and the user who started a pipeline.
 */
export type References<T> = unknown extends T
  ? Readonly<Record<string, Reference>>
  : { readonly [K in keyof T]?: Reference<keyof T & string> };

/** A field that references a missing document. */
export interface LostReference {
  readonly field: string;
  readonly target: string;
  readonly id: number;
}

/** The questions that the check of references asks a store. */
export interface ReferenceTargets {
  has(collection: string, id: number): boolean;
  /** Returns the name of the collection with this `typeName`; undefined when there is none. */
  collectionOfType(typeName: string): string | undefined;
}

/** Returns the first reference of a document to a missing one. */
export function lostReferenceOf(
  { references }: Pick<RecordDeclaration, "references">,
  document: StoredDocument,
  targets: ReferenceTargets,
): LostReference | undefined {
  const fields = document as StoredDocument & Readonly<Record<string, unknown>>;
  // The user or group that owned it may be deleted first.
  if (fields.is_being_deleted === true) return undefined;
  for (const [field, declared] of Object.entries(references)) {
    const target = targetOf(declared, fields, targets);
    if (target === undefined) continue;
    for (const id of [fields[field]].flat()) {
      if (typeof id === "number" && !targets.has(target, id)) return { field, target, id };
    }
  }
  return undefined;
}

function targetOf(
  declared: Reference,
  fields: Readonly<Record<string, unknown>>,
  targets: ReferenceTargets,
): string | undefined {
  if (typeof declared === "string") return declared;
  if ("of" in declared) return declared.of[String(fields[declared.by])];
  const typeName = String(fields[declared.byTypeIn]);
  return targets.collectionOfType(typeName) ?? typeName;
}
