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
 * (groups-and-projects 6). The latest one that went by a name has it.
 */
export const FormerPathRecord = record({
  id: field.whole,
  /** The key of the former path, see `pathKey`. */
  path_key: field.text,
  /** The group, user or project that requests are sent on to. */
  target_type: field.oneOf("namespace", "project"),
  target_id: field.whole,
});
export type FormerPathRecord = RecordOf<typeof FormerPathRecord>;

export const formerPaths = collection("former-paths", FormerPathRecord, {
  indexes: {
    path_key: unique((former) => formerKey(former.target_type, former.path_key)),
    target: multi((former) => [formerKey(former.target_type, former.target_id)]),
  },
  secrets: { path_key: "public" },
});

/** Index key of a former path: by its `path_key`, or by the id of its target. */
export function formerKey(targetType: FormerPathRecord["target_type"], value: string | number): string {
  return `${targetType} ${value}`;
}

/** The key of a path segment in its parent, ignoring case. Full paths are never stored, so a rename is one change. */
export function pathKey(parentId: number | null, path: string): string {
  return `${parentId ?? 0}/${path.toLowerCase()}`;
}
