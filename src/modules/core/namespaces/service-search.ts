import type { Condition, Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { namespaces, pathKey } from "../../groups-and-projects/namespaces-api/records.ts";

/** The groups that a search text finds (groups-and-projects 2.2). */
export interface GroupSearch {
  readonly condition: Condition<typeof groups.indexes>;
  /** The groups whose name or path is the text. */
  readonly exact: readonly number[];
}

/** The length below which a text must be the whole name or path: two letters are part of too many. */
const fuzzyLengthMin = 3;
const lastCharacter = "\uffff";

/**
 * Groups with a text in their name or path, or in their full path where that is searched; undefined for a blank text,
 * which is no filter. Full paths are not stored, so the tree is walked from where the index finds a part of one.
 */
export function searchGroups(store: Store, given: string, isFullPathSearched: boolean): GroupSearch | undefined {
  const wanted = given.trim().toLowerCase();
  if (wanted === "") return undefined;
  const { by } = store.of(groups);
  const exact = [...new Set([...by.name.between(wanted, wanted), ...by.path.between(wanted, wanted)])];
  if (isFullPathSearched && wanted.includes("/")) return { condition: { ids: onFullPath(store, wanted) }, exact: [] };
  if (wanted.length < fuzzyLengthMin) return { condition: { ids: exact }, exact };
  const below = isFullPathSearched ? strictlyBelow(store, withPathPart(store, wanted)) : new Set<number>();
  const contains = wanted.split(/\s+/);
  const isPartOf = (text: string) => ({ index: "words", contains, in: [text] }) as const;
  return { condition: { anyOf: [{ ids: below }, isPartOf("name"), isPartOf("path")] }, exact };
}

/** The ids of all groups that `searchGroups` finds, full paths included; for a text that is not blank. */
export function matchGroups(store: Store, text: string): ReadonlySet<number> {
  const search = searchGroups(store, text, true);
  return new Set(search === undefined ? [] : idsOf(store, search.condition));
}

/** `cme/core/ap`: groups at the end of one path and at the beginning of another, or all below them. */
function onFullPath(store: Store, wanted: string): ReadonlySet<number> {
  const [first = "", ...rest] = wanted.split("/");
  const last = rest.pop() ?? "";
  let at = startsOf(store, first, rest[0] ?? last, rest.length > 0);
  for (const segment of rest) {
    const { place } = store.of(namespaces).by;
    at = at.map((id) => place.find(pathKey(id, segment))).filter((id) => id !== undefined);
  }
  if (last === "") return strictlyBelow(store, at);
  const found = at.flatMap((id) => childrenOf(store, id).filter((child) => pathOf(store, child).startsWith(last)));
  return new Set([...found, ...strictlyBelow(store, found)]);
}

/** Groups whose path ends with `end`, found by it or, when it is too short for that, by the path that comes next. */
function startsOf(store: Store, end: string, next: string, isNextWhole: boolean): number[] {
  if (end.length >= fuzzyLengthMin) return withPathPart(store, end).filter((id) => pathOf(store, id).endsWith(end));
  const { path } = store.of(groups).by;
  if (next === "") return end === "" ? [] : [...path.between(end, end)];
  const children = [...path.between(next, isNextWhole ? next : `${next}${lastCharacter}`)];
  const parents = new Set(children.map((id) => store.of(groups).get(id)?.parent_id ?? 0));
  return [...parents].filter((id) => id !== 0 && pathOf(store, id).endsWith(end));
}

function withPathPart(store: Store, part: string): number[] {
  return idsOf(store, { index: "words", contains: [part], in: ["path"] });
}

function idsOf(store: Store, condition: GroupSearch["condition"]): number[] {
  return [...store.ids(groups, [condition])];
}

function strictlyBelow(store: Store, ids: readonly number[]): Set<number> {
  const found = new Set<number>();
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const child of childrenOf(store, id)) {
      if (found.has(child)) continue;
      found.add(child);
      waiting.push(child);
    }
  }
  return found;
}

function childrenOf(store: Store, id: number): number[] {
  return [...store.of(groups).by.parent_id.find(id)];
}

function pathOf(store: Store, id: number): string {
  return store.of(groups).get(id)?.path.toLowerCase() ?? "";
}
