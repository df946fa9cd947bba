import type { RepositoryKind, RepositoryRef } from "../../../git/index.ts";
import { collection, field, multi, ordered, type RecordOf, record, type Store, unique } from "../../../store/index.ts";

/** The kinds of containers that can be moved; each has records and numbers of its own. */
const movedKinds = ["project", "snippet", "group"] as const;
export type MovedKind = (typeof movedKinds)[number];

/** storage-moves 4. */
export const moveStates = [
  "initial",
  "scheduled",
  "started",
  "replicated",
  "finished",
  "failed",
  "cleanup failed",
] as const;
export type MoveState = (typeof moveStates)[number];

/** The move of a repository from one storage to another (storage-moves 3). */
export const StorageMoveRecord = record({
  id: field.whole,
  /** The id of the project, snippet or group. */
  container_id: field.whole,
  state: field.oneOf(...moveStates),
  source_storage_name: field.text,
  destination_storage_name: field.text,
  /** Why it failed. */
  error_message: field.nullable(field.text),
  created_at: field.moment,
  updated_at: field.moment,
});
export type StorageMoveRecord = RecordOf<typeof StorageMoveRecord>;

/** The repository is read-only while its move is in one of these. */
const readOnlyStates: readonly MoveState[] = ["initial", "scheduled", "started"];

const movesOf = (name: string) =>
  collection(name, StorageMoveRecord, {
    indexes: {
      id: ordered((move) => move.id),
      container: multi((move) => [move.container_id]),
      /** A container has one move at a time. */
      under_way: unique((move) => (readOnlyStates.includes(move.state) ? move.container_id : undefined)),
    },
    sequence: name,
  });

export const storageMoves = {
  project: movesOf("project-storage-moves"),
  snippet: movesOf("snippet-storage-moves"),
  group: movesOf("group-storage-moves"),
} as const satisfies Record<MovedKind, unknown>;

const kindOf: Readonly<Record<RepositoryKind, MovedKind>> = {
  project: "project",
  snippet: "snippet",
  group_wiki: "group",
};

/** Whether a repository is being moved, and so read-only: what the records say, so that no stop or crash can leave it so. */
export function isBeingMoved(store: Store, { kind, id }: RepositoryRef): boolean {
  return store.of(storageMoves[kindOf[kind]]).by.under_way.find(id) !== undefined;
}
