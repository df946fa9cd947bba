/** The part of issues and merge requests that lists filter and order by in one way. */

import type { bitmap, CollectionDeclaration, Condition, ordered, text } from "../../../store/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";

/** A thing of a project with labels and a milestone. */
export interface Issuable {
  readonly id: number;
  readonly project_id: number;
  readonly label_ids: readonly number[];
  readonly milestone_id: number | null;
}

type KeyIndex = "number" | "project_id" | "state" | "author_id" | "assignee_id" | "label_id" | "milestone_id";
type OrderIndex = "id" | "created_at" | "updated_at" | "title" | "popularity";

/** The indexes that each such collection has, under these names. */
export type IssuableIndexes<T extends Issuable> = {
  readonly [K in KeyIndex]: ReturnType<typeof bitmap<T>>;
} & {
  readonly [K in OrderIndex]: ReturnType<typeof ordered<T>>;
} & { readonly words: ReturnType<typeof text<T>> };

export type IssuableCollection<T extends Issuable> = CollectionDeclaration<T, IssuableIndexes<T>>;

/** A condition that any of these collections answers. */
export type IssuableCondition = Condition<IssuableIndexes<Issuable>>;

/** The things that a path is about: those of a project, of a group with its subgroups, or all. */
export type IssuableScope = { readonly project: ProjectRecord } | { readonly group: GroupRecord } | "everywhere";

/** Holds for nothing. */
export const matchNone: IssuableCondition = { ids: [] };
