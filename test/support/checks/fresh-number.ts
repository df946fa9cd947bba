import type { Store } from "../../../src/store/index.ts";

const counts = new WeakMap<Store, number>();

/** 1, 2, 3 … for each store, for names that must be new: two worlds with the same calls get the same names. */
export function freshNumber({ store }: { readonly store: Store }): number {
  const number = (counts.get(store) ?? 0) + 1;
  counts.set(store, number);
  return number;
}
