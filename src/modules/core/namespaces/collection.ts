import { bitmap, collection, multi, ordered, unique } from "../../../store/index.ts";

/** A place for projects: the personal one of a user, or a group. Both draw their ids from one sequence. */
export interface NamespaceRecord {
  readonly id: number;
  readonly kind: "user" | "group";
  readonly name: string;
  readonly path: string;
  readonly parent_id: number | null;
  /** The user of a personal namespace. */
  readonly owner_id: number | null;
}

export const namespaces = collection<NamespaceRecord>()("namespaces", {
  place: unique((namespace) => placeKey(namespace.parent_id, namespace.path)),
  parent_id: multi((namespace) => (namespace.parent_id === null ? [] : [namespace.parent_id])),
  owner_id: unique((namespace) => namespace.owner_id ?? undefined),
  level: bitmap((namespace) => [namespace.parent_id === null ? "top" : "sub"]),
  id: ordered((namespace) => namespace.id),
});

/**
 * A name that a group or project went by before it was renamed or moved: requests for a project under it are sent on
 * (groups-and-projects 6). The latest bearer of a name has it.
 */
export interface FormerPathRecord {
  readonly id: number;
  readonly place: string;
  readonly bearer: "namespace" | "project";
  readonly bearer_id: number;
}

export const formerPaths = collection<FormerPathRecord>()("former-paths", {
  place: unique((former) => `${former.bearer} ${former.place}`),
  bearer: multi((former) => [bearerKey(former.bearer, former.bearer_id)]),
});

export function bearerKey(bearer: FormerPathRecord["bearer"], id: number): string {
  return `${bearer} ${id}`;
}

/** Where a path segment stands, whatever the case of its letters: full paths are never stored, so a rename is one change. */
export function placeKey(parentId: number | null, path: string): string {
  return `${parentId ?? 0}/${path.toLowerCase()}`;
}
