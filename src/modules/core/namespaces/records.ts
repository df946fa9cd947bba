import { bitmap, collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A place for projects: the personal one of a user, or a group. Both draw their ids from one sequence. */
export const NamespaceRecord = record({
  id: field.whole,
  kind: field.oneOf("user", "group"),
  name: field.text,
  path: field.text,
  parent_id: field.nullable(field.whole),
  /** The user of a personal namespace. */
  owner_id: field.nullable(field.whole),
});
export type NamespaceRecord = RecordOf<typeof NamespaceRecord>;

export const namespaces = collection("namespaces", NamespaceRecord, {
  indexes: {
    place: unique((namespace) => pathKey(namespace.parent_id, namespace.path)),
    parent_id: multi((namespace) => (namespace.parent_id === null ? [] : [namespace.parent_id])),
    owner_id: unique((namespace) => namespace.owner_id ?? undefined),
    level: bitmap((namespace) => [namespace.parent_id === null ? "top" : "sub"]),
    id: ordered((namespace) => namespace.id),
  },
  references: { parent_id: "namespaces", owner_id: "users" },
});

/**
 * A name that a group or project went by before it was renamed or moved: requests for a project under it are sent on
 * (groups-and-projects 6). The latest bearer of a name has it.
 */
export const FormerPathRecord = record({
  id: field.whole,
  place: field.text,
  bearer: field.oneOf("namespace", "project"),
  bearer_id: field.whole,
});
export type FormerPathRecord = RecordOf<typeof FormerPathRecord>;

export const formerPaths = collection("former-paths", FormerPathRecord, {
  indexes: {
    place: unique((former) => `${former.bearer} ${former.place}`),
    bearer: multi((former) => [bearerKey(former.bearer, former.bearer_id)]),
  },
});

export function bearerKey(bearer: FormerPathRecord["bearer"], id: number): string {
  return `${bearer} ${id}`;
}

/** The key of a path segment in its parent, ignoring case. Full paths are never stored, so a rename is one change. */
export function pathKey(parentId: number | null, path: string): string {
  return `${parentId ?? 0}/${path.toLowerCase()}`;
}
