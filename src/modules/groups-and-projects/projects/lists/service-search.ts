import { Bitmap, type Condition, type IdSet, type Store } from "../../../../store/index.ts";
import { fullNameOf, fullPathOf, selfAndDescendants } from "../../../core/namespaces/index.ts";
import { users } from "../../../core/users/records.ts";
import { groups } from "../../groups/records.ts";
import { type ProjectRecord, projects } from "../records.ts";

export type ProjectCondition = Condition<typeof projects.indexes>;

/** The projects that a search text finds (groups-and-projects 3.2). */
export interface ProjectSearch {
  readonly where: readonly ProjectCondition[];
  /** A test that no index answers. */
  readonly matches?: (project: ProjectRecord) => boolean;
  /** The projects whose name or path is exactly the text. */
  readonly exact: readonly number[];
}

/** The length below which a text must be the whole name or path: two letters are part of too many. */
const fuzzyLengthMin = 3;

/**
 * Projects whose name, path, or description has every word of the text; with namespaces, whose full name, full path or description has. undefined
 * for a blank text, which is no filter.
 */
export function searchProjects(store: Store, given: string, withNamespaces: boolean): ProjectSearch | undefined {
  const wanted = given.trim().toLowerCase();
  if (wanted === "") return undefined;
  const { by } = store.of(projects);
  const exact = [...new Set([...by.path.between(wanted, wanted), ...by.name.between(wanted, wanted)])];
  if (wanted.length < fuzzyLengthMin) return { where: [{ ids: new Set(exact) }], exact };
  const contains = [...new Set(wanted.split(/\s+/))];
  if (!withNamespaces) {
    const isPartOf = (text: string) => ({ index: "words", contains, in: [text] }) as const;
    return { where: [{ anyOf: [isPartOf("name"), isPartOf("path"), isPartOf("description")] }], exact };
  }
  const inText = (text: string) => contains.every((word) => text.toLowerCase().includes(word));
  return {
    where: whereWithNamespaces(store, contains),
    matches: ({ namespace_id, name, path, description }) =>
      inText(description ?? "") ||
      inText(`${fullPathOf(store, namespace_id)}/${path}`) ||
      inText(`${fullNameOf(store, namespace_id)} / ${name}`),
    exact,
  };
}

/** No part of a full path has a slash in it, so the longest piece between slashes is in one of them. */
function longestPiece(words: readonly string[]): string {
  const pieces = words.flatMap((word) => word.split("/"));
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
}

/** Projects that may have the words in their description, or the piece in their own name or path or in one above. */
function whereWithNamespaces(store: Store, contains: readonly string[]): ProjectCondition[] {
  const piece = longestPiece(contains);
  // Short pieces leave too many.
  if (piece.length < fuzzyLengthMin) return [];
  const own = { index: "words", contains: [piece], in: ["name", "path"] } as const;
  const described = { index: "words", contains, in: ["description"] } as const;
  return [{ anyOf: [own, described, { ids: projectsBelow(store, piece) }] }];
}

/** Projects below namespaces whose name or path has the piece. */
function projectsBelow(store: Store, piece: string): IdSet {
  const where = [{ index: "words", contains: [piece] } as const];
  const namespaceIds = new Set<number>();
  for (const id of store.ids(groups, where)) {
    if (!namespaceIds.has(id)) for (const below of selfAndDescendants(store, id)) namespaceIds.add(below);
  }
  for (const id of store.ids(users, where)) {
    const namespaceId = store.of(users).get(id)?.namespace_id;
    if (namespaceId !== undefined) namespaceIds.add(namespaceId);
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
