import type { Steps } from "../../lib/yield.ts";
import { MultiIndex } from "./multi-index.ts";
import { OrderedIndex } from "./ordered-index.ts";
import type { OrderKey } from "./sorted-ids.ts";
import { type Addend, SumIndex } from "./sum-index.ts";
import { TextIndex, type TextsOf } from "./text-index.ts";
import { TreeIndex } from "./tree-index.ts";
import { type Key, UniqueIndex } from "./unique-index.ts";

/** A document of the store: a JSON object with an id from 1 upwards. It is never changed, only replaced. */
export interface StoredDocument {
  readonly id: number;
}

/** An index of a collection, which calls it with the old and the new document of every change. */
export interface Index<T> {
  replace(before: T | undefined, after: T | undefined): void;
  /** Fills an empty index, faster than one `replace` after another. Text indexes are filled later. */
  build?(documents: Iterable<T>): Steps;
}

/** The declaration of an index. */
export type IndexDeclaration<T> =
  | { readonly kind: "unique"; readonly keyOf: (document: T) => Key | undefined }
  | { readonly kind: "multi"; readonly keysOf: (document: T) => readonly Key[] }
  | { readonly kind: "bitmap"; readonly keysOf: (document: T) => readonly Key[] }
  | { readonly kind: "tree"; readonly pathOf: (document: T) => readonly Key[] | undefined }
  | { readonly kind: "ordered"; readonly keyOf: (document: T) => OrderKey }
  | SumDeclaration<T>
  | { readonly kind: "text"; readonly textsOf: TextsOf<T> };

export interface SumDeclaration<T> {
  readonly kind: "sum";
  readonly addendOf: (document: T) => Addend | undefined;
}

/** An index whose key no two documents share. undefined leaves a document out. */
export const unique = <T>(keyOf: (document: T) => Key | undefined) => ({ kind: "unique", keyOf }) as const;
/**
 * An index for keys with few documents each: owners, authors, parents. A key's ids are a list, or bits once they are many.
 */
export const multi = <T>(keysOf: (document: T) => readonly Key[]) => ({ kind: "multi", keysOf }) as const;
/** An index for few keys with many documents each: states, kinds, booleans. */
export const bitmap = <T>(keysOf: (document: T) => readonly Key[]) => ({ kind: "bitmap", keysOf }) as const;
/** An index of documents by paths of keys. undefined leaves a document out. */
export const tree = <T>(pathOf: (document: T) => readonly Key[] | undefined) => ({ kind: "tree", pathOf }) as const;
/** An order of the documents for lists. The id breaks ties. */
export const ordered = <T>(keyOf: (document: T) => OrderKey) => ({ kind: "ordered", keyOf }) as const;

/** An index of the sum of an amount per key. undefined leaves a document out. */
export const sum = <T>(addendOf: (document: T) => Addend | undefined): SumDeclaration<T> => ({ kind: "sum", addendOf });

/** An index for word searches in named texts. */
export const text = <T>(textsOf: TextsOf<T>) => ({ kind: "text", textsOf }) as const;

export type LiveIndex<T, D> = D extends { kind: "unique" }
  ? UniqueIndex<T & StoredDocument>
  : D extends { kind: "multi" | "bitmap" }
    ? MultiIndex<T & StoredDocument>
    : D extends { kind: "tree" }
      ? TreeIndex<T & StoredDocument>
      : D extends { kind: "text" }
        ? TextIndex<T & StoredDocument>
        : D extends { kind: "sum" }
          ? SumIndex<T & StoredDocument>
          : OrderedIndex<T & StoredDocument>;

export function buildIndex<T extends StoredDocument>(name: string, declared: IndexDeclaration<T>): Index<T> {
  switch (declared.kind) {
    case "unique":
      return new UniqueIndex(name, declared.keyOf);
    case "multi":
    case "bitmap":
      return new MultiIndex(declared.keysOf);
    case "tree":
      return new TreeIndex(declared.pathOf);
    case "ordered":
      return new OrderedIndex(declared.keyOf);
    case "sum":
      return new SumIndex(declared.addendOf);
    case "text":
      return new TextIndex(declared.textsOf);
  }
}
