import { Bitmap, type Store } from "../../../store/index.ts";
import { carriedIds, carriersOf } from "../../departures/index.ts";
import { issues, labelPriorities, milestones } from "../../tracker/index.ts";
import type { IssueCondition, IssueScope } from "../filters/index.ts";

/** The last day that a milestone can have: later ones stand for none. */
const lastDay = "9999-12-30";

/** Issues that share a place in an order that no index has; ranks come in their order, what has none comes last. */
export type Rank = readonly IssueCondition[];

/** By the due date of the milestone. */
export function milestoneRanks(store: Store, descending: boolean): Rank[] {
  const documents = store.of(milestones);
  const idsOfDay = new Map<string, number[]>();
  for (const id of documents.by.due_date.between(undefined, lastDay)) {
    const day = documents.get(id)?.due_date as string;
    const ids = idsOfDay.get(day);
    if (ids === undefined) idsOfDay.set(day, [id]);
    else ids.push(id);
  }
  const days = [...idsOfDay.values()].map((ids): IssueCondition => carriersOf(store, "milestone", ids));
  return ranked(days, descending);
}

/** By the most urgent label, as the issue's project ranks labels. */
export function labelRanks(store: Store, scope: IssueScope, descending: boolean): Rank[] {
  const documents = store.of(labelPriorities);
  const isProject = typeof scope === "object" && "project" in scope;
  const rows = [
    ...(isProject ? documents.by.project_id.find(scope.project.id) : documents.by.id.between(undefined, undefined)),
  ]
    .map((id) => documents.get(id))
    .filter((row) => row !== undefined)
    .sort((one, other) => one.priority - other.priority);
  const { by } = store.of(issues);
  const seen = new Bitmap();
  const idsOf = new Map<number, Bitmap>();
  for (const { label_id, project_id, priority } of rows) {
    const ids = idsOf.get(priority) ?? new Bitmap();
    idsOf.set(priority, ids);
    const inProject = by.project_id.find(project_id);
    for (const carried of carriedIds(store, "label", [label_id])) {
      for (const id of by.label_id.find(carried)) {
        // Rows come in rising order: an issue that was met has a label as urgent or more.
        if (!inProject.has(id) || seen.has(id)) continue;
        seen.add(id);
        ids.add(id);
      }
    }
  }
  return ranked(
    [...idsOf.values()].map((ids): IssueCondition => ({ ids })),
    descending,
  );
}

/** By weight. */
export function weightRanks(store: Store, descending: boolean): Rank[] {
  const weights = [...store.of(issues).by.weight.keys()].filter((key) => typeof key === "number").sort((a, b) => a - b);
  return ranked(
    weights.map((key): IssueCondition => ({ index: "weight", key })),
    descending,
  );
}

/** Each of the first ranks in the order of the second ones. */
export function* combined(first: readonly Rank[], second: readonly Rank[]): Generator<Rank> {
  for (const one of first) for (const other of second) yield [...one, ...other];
}

function ranked(sets: readonly IssueCondition[], descending: boolean): Rank[] {
  const ranks: Rank[] = (descending ? sets.toReversed() : sets).map((set) => [set]);
  return [...ranks, [{ not: { anyOf: sets } }]];
}
