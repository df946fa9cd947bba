import { collection, multi, unique } from "../../store/index.ts";

/** A place for projects: the personal one of a user, or a group. Both draw their ids from one sequence. */
export interface NamespaceRecord {
  readonly id: number;
  readonly kind: "user" | "group";
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly parent_id: number | null;
  /** The user of a personal namespace. */
  readonly owner_id: number | null;
}

export const namespaces = collection<NamespaceRecord>()("namespaces", {
  full_path: unique((namespace) => namespace.full_path.toLowerCase()),
  parent_id: multi((namespace) => (namespace.parent_id === null ? [] : [namespace.parent_id])),
  owner_id: unique((namespace) => namespace.owner_id ?? undefined),
});
