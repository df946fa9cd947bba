import { Bitmap, type Condition, type IdSet, type Store } from "../../store/index.ts";
import {
  fullNameOf,
  fullPathOf,
  groups,
  namespaces,
  type ProjectRecord,
  projects,
  selfAndDescendants,
} from "../namespaces/index.ts";
import { users } from "../users/index.ts";

export type ProjectCondition = Condition<typeof projects.indexes>;

export interface ProjectSearch {
  /** What indexes leave of all projects. */
  readonly where: readonly ProjectCondition[];
  matches(project: ProjectRecord): boolean;
  /** Whose name or path is the very text. */
  readonly exact: readonly number[];
}

/** Below this, a text must be the whole name or path: two letters are part of too many. */
const fuzzyLengthMin = 3;

/**
 * Projects whose name, or path, has every word of the text (groups-and-projects 3.2); with namespaces, whose full name or
 * full path has. undefined for a blank text, which is no filter.
 */
export function searchProjects(store: Store, given: string, withNamespaces: boolean): ProjectSearch | undefined {
  const wanted = given.trim().toLowerCase();
  if (wanted === "") return undefined;
  const { by } = store.of(projects);
  const exact = [...new Set([...by.path.between(wanted, wanted), ...by.name.between(wanted, wanted)])];
  const words = wanted.split(/\s+/);
  if (!words.some((word) => longestPiece(word).length >= fuzzyLengthMin)) {
    const ids = new Set(exact);
    return { where: [{ ids }], matches: ({ id }) => ids.has(id), exact };
  }
  const inText = (text: string) => words.every((word) => text.includes(word));
  if (!withNamespaces) {
    const matches = ({ name, path }: ProjectRecord) => inText(name.toLowerCase()) || inText(path.toLowerCase());
    return { where: [{ index: "words", contains: words }], matches, exact };
  }
  return {
    where: words.flatMap((word) => whereWithNamespaces(store, longestPiece(word))),
    matches: ({ namespace_id, name, path }) =>
      inText(`${fullPathOf(store, namespace_id)}/${path}`.toLowerCase()) ||
      inText(`${fullNameOf(store, namespace_id)} / ${name}`.toLowerCase()),
    exact,
  };
}

/** No part of a full path has a slash in it, so the longest piece between slashes is in one of them. */
function longestPiece(word: string): string {
  return word.split("/").reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Projects that may have the piece in their own name or path, or in one above; nothing for a piece that is too short. */
function whereWithNamespaces(store: Store, piece: string): ProjectCondition[] {
  if (piece.length < fuzzyLengthMin) return [];
  const ids = projectsBelow(store, piece);
  return ids === undefined ? [] : [{ anyOf: [{ index: "words", contains: [piece] }, { ids }] }];
}

/** Projects below namespaces whose name or path has the piece; undefined while the indexes are being built. */
function projectsBelow(store: Store, piece: string): IdSet | undefined {
  const groupIds = store.of(groups).by.words.candidates([piece]);
  const userIds = store.of(users).by.words.candidates([piece]);
  if (groupIds === undefined || userIds === undefined) return undefined;
  const namespaceIds = new Set<number>();
  for (const id of groupIds) {
    if (!namespaceIds.has(id)) for (const below of selfAndDescendants(store, id)) namespaceIds.add(below);
  }
  for (const id of userIds) {
    const own = store.of(namespaces).by.owner_id.find(id);
    if (own !== undefined) namespaceIds.add(own);
  }
  return projectsIn(store, namespaceIds);
}

/** Ids of the projects that are in these very namespaces. */
export function projectsIn(store: Store, namespaceIds: Iterable<number>): Bitmap {
  const ids = new Bitmap();
  for (const namespaceId of namespaceIds) {
    for (const id of store.of(projects).by.namespace_id.find(namespaceId)) ids.add(id);
  }
  return ids;
}
