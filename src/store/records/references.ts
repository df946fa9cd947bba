import type { StoredDocument } from "../indexes/index.ts";
import type { RecordDeclaration } from "./declaration.ts";

/**
 * The collection that a field names a document of: one, or the one that another field of the document says, by a table or by the
 * `typeName` of a collection.
 */
export type Reference<Name extends string = string> =
  | string
  | { readonly by: Name; readonly of: Readonly<Record<string, string>> }
  | { readonly byTypeIn: Name };

/**
 * The fields that name other documents. A field that is not here may name a deleted document, such as the label of an
 * issue while it is being deleted, or the user who started a pipeline.
 */
export type References<T> = unknown extends T
  ? Readonly<Record<string, Reference>>
  : { readonly [K in keyof T]?: Reference<keyof T & string> };

/** A field that names what is not there. */
export interface LostReference {
  readonly field: string;
  readonly target: string;
  readonly id: number;
}

/** What a check of references asks of a store. */
export interface ReferenceTargets {
  has(collection: string, id: number): boolean;
  /** The name of the collection with this `typeName`; undefined: there is none. */
  collectionOfType(typeName: string): string | undefined;
}

/** The first reference of a document that leads nowhere. */
export function lostReferenceOf(
  { references }: Pick<RecordDeclaration, "references">,
  document: StoredDocument,
  targets: ReferenceTargets,
): LostReference | undefined {
  const fields = document as StoredDocument & Readonly<Record<string, unknown>>;
  // Its namespace may be gone before it, with the user whose it was.
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
