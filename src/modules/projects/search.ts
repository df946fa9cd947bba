import { Bitmap, type Condition, type IdSet, type Store } from "../../store/index.ts";
import {
  fullNameOf,
  fullPathOf,
  groups,
  type ProjectRecord,
  projects,
  selfAndDescendants,
} from "../namespaces/index.ts";
import { users } from "../users/index.ts";

export type ProjectCondition = Condition<typeof projects.indexes>;

/** How a search text meets projects (groups-and-projects 3.2). */
export interface ProjectSearch {
  readonly where: readonly ProjectCondition[];
  /** What no index answers. */
  readonly matches?: (project: ProjectRecord) => boolean;
  /** Whose name or path is the very text. */
  readonly exact: readonly number[];
}

/** Below this, a text must be the whole name or path: two letters are part of too many. */
const fuzzyLengthMin = 3;

/**
 * Projects whose name, or path, has every word of the text; with namespaces, whose full name or full path has. undefined
 * for a blank text, which is no filter.
 */
export function searchProjects(store: Store, given: string, withNamespaces: boolean): ProjectSearch | undefined {
  const wanted = given.trim().toLowerCase();
  if (wanted === "") return undefined;
  const { by } = store.of(projects);
  const exact = [...new Set([...by.path.between(wanted, wanted), ...by.name.between(wanted, wanted)])];
  if (wanted.length < fuzzyLengthMin) return { where: [{ ids: new Set(exact) }], exact };
  const contains = wanted.split(/\s+/);
  if (!withNamespaces) {
    const isPartOf = (text: string) => ({ index: "words", contains, in: [text] }) as const;
    return { where: [{ anyOf: [isPartOf("name"), isPartOf("path")] }], exact };
  }
  const inText = (text: string) => contains.every((word) => text.toLowerCase().includes(word));
  return {
    where: contains.flatMap((word) => whereWithNamespaces(store, longestPiece(word))),
    matches: ({ namespace_id, name, path }) =>
      inText(`${fullPathOf(store, namespace_id)}/${path}`) || inText(`${fullNameOf(store, namespace_id)} / ${name}`),
    exact,
  };
}

/** No part of a full path has a slash in it, so the longest piece between slashes is in one of them. */
function longestPiece(word: string): string {
  return word.split("/").reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Projects that may have the piece in their own name or path, or in one above. */
function whereWithNamespaces(store: Store, piece: string): ProjectCondition[] {
  if (piece === "") return [];
  return [{ anyOf: [{ index: "words", contains: [piece] }, { ids: projectsBelow(store, piece) }] }];
}

/** Projects below namespaces whose name or path has the piece. */
function projectsBelow(store: Store, piece: string): IdSet {
  const namespaceIds = new Set<number>();
  const where = [{ index: "words", contains: [piece] } as const];
  for (const { id } of store.page(groups, { where, ...all(store.of(groups).size) }).items) {
    if (!namespaceIds.has(id)) for (const below of selfAndDescendants(store, id)) namespaceIds.add(below);
  }
  for (const { namespace_id } of store.page(users, { where, ...all(store.of(users).size) }).items) {
    namespaceIds.add(namespace_id);
  }
  return projectsIn(store, namespaceIds);
}

/** Everything there is, as one page. */
function all(size: number) {
  const page = { kind: "offset", page: 1, perPage: Math.max(1, size) } as const;
  return { order: "id", descending: false, page } as const;
}

/** Ids of the projects that are in these very namespaces. */
export function projectsIn(store: Store, namespaceIds: Iterable<number>): Bitmap {
  const ids = new Bitmap();
  for (const namespaceId of namespaceIds) {
    for (const id of store.of(projects).by.namespace_id.find(namespaceId)) ids.add(id);
  }
  return ids;
}
