import type { OrderKey } from "../indexes/sorted-ids.ts";
import type { Key } from "../indexes/unique-index.ts";
import type { IdSet } from "./id-set.ts";

/** A condition that an index can answer. Conditions of one list hold together. */
export type Condition<D> =
  | { readonly index: keyof D & string; readonly key: Key }
  | { readonly index: keyof D & string; readonly from: OrderKey | undefined; readonly to: OrderKey | undefined }
  /**
   * Every word is part of a text, whatever its case: of one or another of the fields `in`, or of any. A word may hold
   * blanks, and be as short as a letter.
   */
  | {
      readonly index: keyof D & string;
      readonly contains: readonly string[];
      readonly in?: readonly string[] | undefined;
    }
  /** Sets are read as they are, without a copy; ids of no document are left out. */
  | { readonly ids: IdSet | readonly number[] }
  | { readonly anyOf: readonly Condition<D>[] }
  | { readonly not: Condition<D> };
