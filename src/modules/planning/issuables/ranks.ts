/** The orders that records beside the issue or merge request decide. */

import { spend } from "../../../domain/work-budget.ts";
import { Bitmap, type Store } from "../../../store/index.ts";
import { labelPriorities, priorityKey } from "../labels/records.ts";
import { milestones } from "../milestones/records.ts";
import { carriedIds, carriersOf, remainingIds } from "../pending-unlinks/index.ts";
import type { Issuable, IssuableCollection, IssuableCondition, IssuableScope } from "./records.ts";

/** The last day that a milestone can have: later ones stand for none. */
const lastDay = "9999-12-30";

/** Things that share a place in an order that no index has. */
export type Rank<C = IssuableCondition> = readonly C[];

/** An order that no index has, in two forms: a key of each thing for few of them, conditions for many. */
export interface RankedOrder<T, C = IssuableCondition> {
  /** The sort key of a thing; undefined: it comes last, in both directions. */
  keyOf(issuable: T): number | string | undefined;
  /** The ranks from the first to the last; everything is in one of them. */
  ranks(): Iterable<Rank<C>>;
}

/** The due date of the milestone. */
export function byMilestone(store: Store, descending: boolean): RankedOrder<Issuable> {
  const documents = store.of(milestones);
  return {
    keyOf({ milestone_id }) {
      const [id] = milestone_id === null ? [] : remainingIds(store, "milestone", [milestone_id]);
      const day = id === undefined ? undefined : documents.get(id)?.due_date;
      return day == null || day > lastDay ? undefined : day;
    },
    ranks() {
      const idsOfDay = Map.groupBy(
        documents.by.due_date.between(undefined, lastDay),
        (id) => documents.get(id)?.due_date as string,
      );
      const days = [...idsOfDay.values()].map((ids): IssuableCondition => carriersOf(store, "milestone", ids));
      return ranked(days, descending);
    },
  };
}

/** The most urgent label, as the project ranks labels. */
export function byLabelPriority<T extends Issuable>(
  store: Store,
  collection: IssuableCollection<T>,
  scope: IssuableScope,
  descending: boolean,
): RankedOrder<Issuable> {
  const documents = store.of(labelPriorities);
  return {
    keyOf({ label_ids, project_id }) {
      let first: number | undefined;
      for (const label of remainingIds(store, "label", label_ids)) {
        const row = documents.by.pair.find(priorityKey(label, project_id));
        const priority = row === undefined ? undefined : documents.get(row)?.priority;
        if (priority !== undefined && (first === undefined || priority < first)) first = priority;
      }
      return first;
    },
    ranks: () => ranked(idsOfPriorities(store, collection, scope), descending),
  };
}

/** The work for one priority of a label, and for one thing that may have it, in steps. */
const stepsPerRow = 50;
const stepsPerCarrier = 5;

function idsOfPriorities<T extends Issuable>(
  store: Store,
  collection: IssuableCollection<T>,
  scope: IssuableScope,
): IssuableCondition[] {
  const documents = store.of(labelPriorities);
  const isProject = typeof scope === "object" && "project" in scope;
  const rows = [
    ...(isProject ? documents.by.project_id.find(scope.project.id) : documents.by.id.between(undefined, undefined)),
  ]
    .map((id) => documents.get(id))
    .filter((row) => row !== undefined)
    .sort((one, other) => one.priority - other.priority);
  const { by } = store.of(collection);
  const seen = new Bitmap();
  const idsOf = new Map<number, Bitmap>();
  for (const { label_id, project_id, priority } of rows) {
    const ids = idsOf.get(priority) ?? new Bitmap();
    idsOf.set(priority, ids);
    const inProject = by.project_id.find(project_id);
    for (const carried of carriedIds(store, "label", [label_id])) {
      const withLabel = by.label_id.find(carried);
      const [few, many] = withLabel.size < inProject.size ? [withLabel, inProject] : [inProject, withLabel];
      spend(stepsPerRow + few.size * stepsPerCarrier);
      for (const id of few) {
        // Rows come in rising order: one that was met has a label as urgent or more.
        if (!many.has(id) || seen.has(id)) continue;
        seen.add(id);
        ids.add(id);
      }
    }
  }
  return [...idsOf.values()].map((ids): IssuableCondition => ({ ids }));
}

/** Sets in their order, and the rest last. */
export function ranked<C extends object>(sets: readonly C[], descending: boolean): Rank<C | NoneOf<C>>[] {
  const ranks: Rank<C | NoneOf<C>>[] = (descending ? sets.toReversed() : sets).map((set) => [set]);
  return [...ranks, [{ not: { anyOf: sets } }]];
}

/** The rest that no set has. */
interface NoneOf<C> {
  readonly not: { readonly anyOf: readonly C[] };
}
