/** The issues, merge requests, epics and releases that carry an id. */

import type { bitmap, CollectionDeclaration, IdSet, Store, Transaction } from "../../../store/index.ts";
import type { Slice } from "../../core/background-jobs/index.ts";
import { firstOf } from "../../kernel/removal.ts";
import { mergeRequests } from "../../merge-requests/merge-requests/records.ts";
import { releases } from "../../releases/releases/records.ts";
import { epics } from "../epics/records.ts";
import { issues } from "../issues/records.ts";
import type { CarriedType } from "./records.ts";

/** Things that carry ids of a type. */
interface Carriers {
  find(store: Store, id: number): IdSet;
  replace(tx: Transaction, store: Store, carrierId: number, id: number, into: number | null): void;
}

interface Labelled {
  readonly id: number;
  readonly label_ids: readonly number[];
}

interface Planned {
  readonly id: number;
  readonly milestone_id: number | null;
}

/** A release has several milestones. */
const ofReleases: Carriers = {
  find: (store, id) => store.of(releases).by.milestone_id.find(id),
  replace(tx, store, carrierId, id, into) {
    const release = store.of(releases).get(carrierId);
    if (release === undefined) return;
    tx.update(releases, { ...release, milestone_ids: replaced(release.milestone_ids, id, into) });
  },
};

const carriers: Readonly<Record<CarriedType, readonly Carriers[]>> = {
  label: [labelled(issues), labelled(mergeRequests), labelled(epics)],
  milestone: [planned(issues), planned(mergeRequests), ofReleases],
};

/** Replaces an id in all that carries it until the slice is full; null: removes it. */
export function replaceInCarriers(
  tx: Transaction,
  store: Store,
  type: CarriedType,
  id: number,
  into: number | null,
  slice: Slice,
): void {
  for (const { find, replace } of carriers[type]) {
    for (const each of firstOf(find(store, id), slice.room)) {
      if (slice.isFull) return;
      replace(tx, store, each, id, into);
      slice.add(1);
    }
  }
}

export function hasCarriers(store: Store, type: CarriedType, id: number): boolean {
  return carriers[type].some(({ find }) => find(store, id).size > 0);
}

function labelled<T extends Labelled>(
  declared: CollectionDeclaration<T, { readonly label_id: ReturnType<typeof bitmap<T>> }>,
): Carriers {
  return {
    find: (store, id) => store.of(declared).by.label_id.find(id),
    replace(tx, store, carrierId, id, into) {
      const carrier = store.of(declared).get(carrierId);
      if (carrier === undefined) return;
      tx.update(declared, { ...carrier, label_ids: replaced(carrier.label_ids, id, into) });
    },
  };
}

function planned<T extends Planned>(
  declared: CollectionDeclaration<T, { readonly milestone_id: ReturnType<typeof bitmap<T>> }>,
): Carriers {
  return {
    find: (store, id) => store.of(declared).by.milestone_id.find(id),
    replace(tx, store, carrierId, _, into) {
      const carrier = store.of(declared).get(carrierId);
      if (carrier !== undefined) tx.update(declared, { ...carrier, milestone_id: into });
    },
  };
}

function replaced(ids: readonly number[], id: number, into: number | null): readonly number[] {
  const rest = ids.filter((each) => each !== id && each !== into);
  return into === null ? rest : [...rest, into];
}
