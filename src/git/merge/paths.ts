/** The paths of three trees that a merge has to look at. */

import { requestPace, spend } from "../../domain/work-budget.ts";
import { sorting } from "../../lib/sorting.ts";
import { compareUtf8 } from "../../lib/text/unicode.ts";
import { type Pace, takeSteps } from "../../lib/yield.ts";
import type { FileVersion, Trees } from "../diff/changed-files.ts";
import type { TreeEntry } from "../objects/objects.ts";

/** Base, one side, the other side. */
export type Three<T> = [base: T, one: T, other: T];
export type Side = 1 | 2;
export const sides: readonly Side[] = [1, 2];

/** Bits of a mask: in which of the three trees something is. */
export const bitOf = (place: 0 | Side) => 1 << place;
const all = 7;

/** The entries at a path in three trees, and the result of their merge. */
export interface PathEntry {
  readonly path: string;
  /** The files; undefined where there is none, or a folder. Renames put those of other paths here. */
  stages: Three<FileVersion | undefined>;
  /** The paths that the files come from. */
  names: Three<string>;
  /** In which trees a folder is here. */
  dirmask: number;
  /** The files that are equal. */
  matchMask: number;
  /** A file of one side is a folder of the other one. */
  isFileFolder: boolean;
  /** Renames leave something to decide. */
  hasPathConflict: boolean;
  /** The merged file; undefined: nothing is left at the path. */
  result: FileVersion | undefined;
  isDone: boolean;
  isClean: boolean;
}

/** A file that one side added, or removed. */
export interface SidePair {
  readonly kind: "added" | "removed";
  readonly path: string;
  readonly version: FileVersion;
}

/** The question of the other side about a removed file: the new content of it, or only the new place of its folder. */
export type Relevance = "content" | "location";
/** Whether the new place of a removed folder is asked for, or only that of a folder above it. */
export type FolderRelevance = "self" | "above" | "none";

/** One side of a merge, as the search for renames sees it. */
export interface SideChanges {
  readonly pairs: SidePair[];
  /** The removed files that matter to the other side. */
  readonly relevant: Map<string, Relevance>;
  /** Folders that the side has no more. */
  readonly removedFolders: Map<string, FolderRelevance>;
}

export interface MergePaths {
  readonly entries: Map<string, PathEntry>;
  readonly changes: Readonly<Record<Side, SideChanges>>;
  /** Ids of trees of the sides: they are stored. That of the base may be made by a merge. */
  readonly stored: Set<string>;
}

export function filemaskOf({ stages }: Pick<PathEntry, "stages">): number {
  return stages.reduce((mask, stage, place) => (stage === undefined ? mask : mask | (1 << place)), 0);
}

export function newEntry(path: string, stages: PathEntry["stages"]): PathEntry {
  return {
    path,
    stages,
    names: [path, path, path],
    dirmask: 0,
    matchMask: 0,
    isFileFolder: false,
    hasPathConflict: false,
    result: undefined,
    isDone: false,
    isClean: false,
  };
}

/** Walks three trees where they differ. Throws `OverBudget`. */
export async function collectPaths(repository: Trees, roots: Three<string>): Promise<MergePaths> {
  const found: MergePaths = {
    entries: new Map(),
    changes: { 1: newSide(), 2: newSide() },
    stored: new Set(roots.slice(1)),
  };
  await new Collector(repository, found).walk("", roots, 0);
  return found;
}

function newSide(): SideChanges {
  return { pairs: [], relevant: new Map(), removedFolders: new Map() };
}

/** Steps of an entry of three trees. */
const entrySteps = 60;

class Collector {
  readonly #repository: Trees;
  readonly #found: MergePaths;
  readonly #pace: Pace = requestPace();

  constructor(repository: Trees, found: MergePaths) {
    this.#repository = repository;
    this.#found = found;
  }

  /**
   * `needed` is about renames of folders: the bit of the side that still has a folder which the other side removed; all bits once that
   * side has added a file there, in this folder or one above.
   */
  async walk(folder: string, trees: Three<string | undefined>, needed: number): Promise<void> {
    const byName = new Map<string, Three<TreeEntry | undefined>>();
    for (const [place, oid] of trees.entries()) {
      for (const entry of oid === undefined ? [] : await this.#repository.tree(oid)) {
        const three = byName.get(entry.path) ?? [undefined, undefined, undefined];
        three[place as 0 | Side] = entry;
        byName.set(entry.path, three);
      }
    }
    spend(byName.size * entrySteps);
    const sorted = await takeSteps(sorting([...byName], byPlace), this.#pace);
    const isAddedTo = needed !== 0 && sorted.some(([, three]) => filesIn(three) === needed);
    for (const [name, three] of sorted) {
      await this.#visit(folder, name, three, isAddedTo ? all : needed);
      const turn = this.#pace();
      if (turn !== true) await turn;
    }
  }

  async #visit(folder: string, name: string, three: Three<TreeEntry | undefined>, needed: number): Promise<void> {
    const path = folder === "" ? name : `${folder}/${name}`;
    const [base, one, other] = three;
    const entry = newEntry(path, three.map(fileOf) as PathEntry["stages"]);
    this.#found.entries.set(path, entry);
    const matchMask = matchOf(three);
    const files = filemaskOf(entry);
    const isWhole = files === all;
    if (matchMask === all || (isWhole && matchMask !== 0)) {
      // Folders that are the same in all three are not looked into.
      const result = matchMask === 3 ? other : one;
      entry.result = result === undefined ? undefined : { mode: result.mode, oid: result.oid };
      entry.isDone = true;
      entry.isClean = true;
      if (base?.type === "tree") this.#found.stored.add(base.oid);
      return;
    }
    entry.dirmask = three.reduce((mask, each, place) => (each?.type === "tree" ? mask | (1 << place) : mask), 0);
    entry.matchMask = matchMask & files;
    entry.isFileFolder = files !== 0 && entry.dirmask !== 0;
    const below = this.#noteRenames(folder, entry, needed);
    if (entry.dirmask === 0) return;
    const trees = three.map((each) => (each?.type === "tree" ? each.oid : undefined)) as Three<string | undefined>;
    for (const oid of trees.slice(1)) if (oid !== undefined) this.#found.stored.add(oid);
    await this.walk(path, trees, below);
  }

  /** Notes what the search for renames needs. Returns what is needed below. */
  #noteRenames(folder: string, entry: PathEntry, needed: number): number {
    const { path, stages, dirmask, matchMask } = entry;
    const { changes } = this.#found;
    const files = filemaskOf(entry);
    const isKept = dirmask === 3 || dirmask === 5;
    const below = needed !== all && isKept ? dirmask & ~1 : needed;
    if (dirmask === 1 || isKept) {
      for (const side of sides) {
        if ((dirmask & bitOf(side)) !== 0) continue;
        changes[side].removedFolders.set(path, below === all ? "above" : "none");
      }
    }
    if (below === all && (files === 2 || files === 4)) {
      changes[files === 2 ? 2 : 1].removedFolders.set(folder, "self");
    }
    if (files === 0 || files === all) return below;
    for (const side of sides) {
      const [base, own] = [stages[0], stages[side]];
      if (base !== undefined && own === undefined) {
        changes[side].pairs.push({ kind: "removed", path, version: base });
        const relevance = matchMask === 0 ? "content" : below === all ? "location" : undefined;
        if (relevance !== undefined) changes[side].relevant.set(path, relevance);
      } else if (base === undefined && own !== undefined) {
        changes[side].pairs.push({ kind: "added", path, version: own });
      }
    }
    return below;
  }
}

function fileOf(entry: TreeEntry | undefined): FileVersion | undefined {
  return entry === undefined || entry.type === "tree" ? undefined : { mode: entry.mode, oid: entry.oid };
}

function filesIn(three: Three<TreeEntry | undefined>): number {
  return three.reduce((mask, each, place) => (fileOf(each) === undefined ? mask : mask | (1 << place)), 0);
}

function matchOf([base, one, other]: Three<TreeEntry | undefined>): number {
  const same = (first: TreeEntry | undefined, second: TreeEntry | undefined) =>
    first !== undefined && first.oid === second?.oid && first.mode === second.mode;
  if (same(base, one)) return same(base, other) ? all : 3;
  if (same(base, other)) return 5;
  return same(one, other) ? 6 : 0;
}

type Named = readonly [name: string, three: Three<TreeEntry | undefined>];

/** Git orders folders as if their names ended with a slash. */
function byPlace(one: Named, other: Named): number {
  return compareUtf8(placeOf(one), placeOf(other));
}

function placeOf([name, three]: Named): string {
  return three.every((each) => each === undefined || each.type === "tree") ? `${name}/` : name;
}
