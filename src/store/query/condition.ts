import type { OrderKey } from "../indexes/sorted-ids.ts";
import type { Key } from "../indexes/unique-index.ts";
import type { IdSet } from "./id-set.ts";

/** A condition that an index can answer. All conditions of a list must be true. */
export type Condition<D> =
  | { readonly index: keyof D & string; readonly key: Key }
  | { readonly index: keyof D & string; readonly from: OrderKey | undefined; readonly to: OrderKey | undefined }
  /**
   * Every word must be part of a text, in one of the fields `in` or in any. Case does not matter. A word may have spaces, or
   * be one letter.
   */
  | {
      readonly index: keyof D & string;
      readonly contains: readonly string[];
      readonly in?: readonly string[] | undefined;
    }
  /** The query reads the set without a copy. Ids of no document do not count. */
  | { readonly ids: IdSet | readonly number[] }
  | { readonly anyOf: readonly Condition<D>[] }
  | { readonly not: Condition<D> };
