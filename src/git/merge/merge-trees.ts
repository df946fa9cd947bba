/** Merges two commits, or what two trees made of a third one, as `git merge-tree` does. */

import { requestPace } from "../../domain/work-budget.ts";
import { compareUtf8 } from "../../lib/text/unicode.ts";
import type { FileVersion } from "../diff/changed-files.ts";
import { Content } from "../diff/content.ts";
import { ObjectTooLarge } from "../objects/limits.ts";
import type { Commit, TreeEntry } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { applyRenames, type Rename } from "./apply-renames.ts";
import { type FoundRenames, findRenames } from "./find-renames.ts";
import { type AddedFile, folderRenamesOf, moveIntoRenamed, removeSharedFolders } from "./folder-renames.ts";
import { mergeBases } from "./merge-bases.ts";
import { FileMerger, type MergeNames } from "./merge-files.ts";
import { type MadeObject, MergeObjects } from "./objects.ts";
import { collectPaths, filemaskOf, type MergePaths, type Side, type SideChanges, sides, type Three } from "./paths.ts";
import { resolvePaths } from "./resolve.ts";

export interface MergeResult {
  /** Conflicts are in it, between markers. */
  readonly tree: string;
  readonly isClean: boolean;
  /** Paths that somebody has to decide about, in order. A merge that is not clean may have none. */
  readonly conflicts: readonly string[];
  /** The new objects of the tree, which the caller stores. */
  readonly objects: readonly MadeObject[];
}

/** Three trees; undefined is the empty one. */
export interface MergedTrees {
  readonly base: string | undefined;
  readonly one: string;
  readonly other: string | undefined;
}

/** Merges the trees of two sides, which had a tree in common. Throws `OverBudget`, and 413. */
export function mergeTrees(repository: Repository, trees: MergedTrees, names: MergeNames): Promise<MergeResult> {
  const merge = new Merge(repository);
  const empty = merge.emptyTree();
  return merge.finish([trees.base ?? empty, trees.one, trees.other ?? empty], names);
}

/** Merges two commits: where they have several merge bases, these are merged first. Throws `OverBudget`, and 413. */
export async function mergeCommits(
  repository: Repository,
  one: Commit,
  other: Commit,
  names: MergeNames,
): Promise<MergeResult> {
  const merge = new Merge(repository);
  const base = await merge.baseOf([one], [other], 0);
  return merge.finish([base, one.tree, other.tree], names);
}

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const namesOfBases = { one: "Temporary merge branch 1", other: "Temporary merge branch 2" };
/** Merges of merge bases for merge bases. */
const depthMax = 8;
/** Bytes of files whose renames are looked for. */
const renameBytesMax = 64 << 20;

class Merge {
  readonly #repository: Repository;
  readonly #objects: MergeObjects;

  constructor(repository: Repository) {
    this.#repository = repository;
    this.#objects = new MergeObjects(repository);
  }

  emptyTree(): string {
    return this.#objects.addTree([]);
  }

  /** The tree that two histories have in common: several are merged, the oldest first. */
  async baseOf(one: readonly Commit[], other: readonly Commit[], depth: number): Promise<string> {
    if (depth > depthMax) throw new ObjectTooLarge("the histories cross each other too often to be merged");
    const [first, ...more] = (await mergeBases(this.#repository, one, other)).reverse();
    if (first === undefined) return this.emptyTree();
    let tree = first.tree;
    const merged = [first];
    for (const next of more) {
      const base = await this.baseOf(merged, [next], depth + 1);
      const paths = await this.#merge([base, tree, next.tree], namesOfBases, depth + 1);
      tree = await this.#write(paths);
      merged.push(next);
    }
    return tree;
  }

  async finish(trees: Three<string>, names: MergeNames): Promise<MergeResult> {
    const paths = await this.#merge(trees, names, 0);
    const tree = await this.#write(paths);
    const conflicts = [...paths.entries.values()]
      .filter((entry) => !entry.isClean && filemaskOf(entry) !== 0)
      .map(({ path }) => path);
    const isClean = paths.isClean && [...paths.entries.values()].every((entry) => entry.isClean);
    return {
      tree,
      isClean,
      conflicts: conflicts.sort(compareUtf8),
      objects: this.#objects.madeFor(tree, (oid) => oid !== emptyTree && paths.stored.has(oid)),
    };
  }

  /** `depth` is 0 for the merge itself, and more for merges of merge bases. */
  async #merge(trees: Three<string>, names: MergeNames, depth: number): Promise<MergePaths & { isClean: boolean }> {
    const paths = await collectPaths(this.#objects, trees);
    const merger = new FileMerger(this.#objects, names, depth, requestPace());
    const content = new Content(this.#objects, renameBytesMax);
    const found = {
      1: await findRenames(paths.changes[1], (version) => content.read(version), requestPace()),
      2: await findRenames(paths.changes[2], (version) => content.read(version), requestPace()),
    };
    const added = { 1: addedFiles(paths.changes[1], found[1]), 2: addedFiles(paths.changes[2], found[2]) };
    const isClean = depth > 0 || followFolders(paths, found, added);
    const renames = sides.flatMap((side) =>
      added[side].flatMap(({ from, to }): Rename[] => (from === undefined ? [] : [{ side, from, to }])),
    );
    await applyRenames(paths, renames, merger);
    await resolvePaths(paths, { names, isForBase: depth > 0, merger });
    return { ...paths, isClean };
  }

  /** Writes the tree of all results. */
  async #write({ entries }: MergePaths): Promise<string> {
    const root: Folder = new Map();
    for (const { path, result } of entries.values()) if (result !== undefined) put(root, path, result);
    const pace = requestPace();
    const write = async (folder: Folder): Promise<string> => {
      const items: TreeEntry[] = [];
      for (const [path, item] of folder) {
        if (!(item instanceof Map)) items.push({ path, ...item, type: typeOf(item) });
        else items.push({ path, mode: folderMode, oid: await write(item), type: "tree" });
      }
      const turn = pace();
      if (turn !== true) await turn;
      return this.#objects.addTree(items);
    };
    return write(root);
  }
}

function addedFiles({ pairs }: SideChanges, { byTarget }: FoundRenames): AddedFile[] {
  return pairs.flatMap(({ kind, path }) => (kind === "added" ? [{ from: byTarget.get(path), to: path }] : []));
}

/** Lets files follow the folders that were renamed. False where it is not clear to which one. */
function followFolders(
  paths: MergePaths,
  found: Readonly<Record<Side, FoundRenames>>,
  added: Readonly<Record<Side, readonly AddedFile[]>>,
): boolean {
  const one = folderRenamesOf(paths.changes[1], found[1].folders);
  const other = folderRenamesOf(paths.changes[2], found[2].folders);
  removeSharedFolders(one.renames, other.renames);
  const isMoved = moveIntoRenamed(paths, { renames: { 1: one.renames, 2: other.renames }, added });
  return one.isClean && other.isClean && isMoved;
}

type Folder = Map<string, FileVersion | Folder>;

function put(root: Folder, path: string, version: FileVersion): void {
  const names = path.split("/");
  const last = names.pop() as string;
  let folder = root;
  for (const name of names) {
    let next = folder.get(name);
    if (!(next instanceof Map)) {
      next = new Map();
      folder.set(name, next);
    }
    folder = next;
  }
  folder.set(last, version);
}

const folderMode = "040000";

function typeOf({ mode }: FileVersion): TreeEntry["type"] {
  return mode === folderMode ? "tree" : mode === "160000" ? "commit" : "blob";
}
