/** Finds the files that one side of a merge renamed, as git's merges look for them. */

import type { Pace } from "../../lib/yield.ts";
import {
  type Half,
  isPlain,
  Likeness,
  nameOf,
  pairLikest,
  pairUnchanged,
  type ReadFile,
  sameNameScore,
} from "../diff/renames.ts";
import type { SideChanges } from "./paths.ts";

/** How often files of one folder went to another one. */
export type FolderCounts = Map<string, Map<string, number>>;

export interface FoundRenames {
  /** Old paths by new ones. */
  readonly byTarget: ReadonlyMap<string, string>;
  readonly folders: FolderCounts;
}

/** The root of the number of pairs that are compared. */
const filesMax = 7_000;
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** Looks for renamed files on one side, as far as they matter to the other side. */
export async function findRenames(changes: SideChanges, read: ReadFile, pace: Pace): Promise<FoundRenames> {
  const { pairs, relevant } = changes;
  const folders: FolderCounts = new Map();
  if (relevant.size === 0) return { byTarget: new Map(), folders };
  const halves = (kind: "added" | "removed"): Half[] =>
    pairs.filter((pair) => pair.kind === kind && pair.version.oid !== emptyBlob);
  const [sources, targets] = [halves("removed"), halves("added")];
  const found = new Map<Half, Half>();
  pairUnchanged(sources, targets, found);
  for (const [target, source] of found) countFolders(changes, folders, source.path, target.path);
  const likeness = new Likeness(read, pace);
  await pairNames(changes, sources, targets, found, folders, likeness);
  const used = new Set(found.values());
  const free = {
    from: sources.filter((half) => !used.has(half) && relevant.has(half.path) && isPlain(half)),
    to: targets.filter((half) => !found.has(half) && isPlain(half)),
  };
  if (free.from.length * free.to.length <= filesMax ** 2) {
    const before = new Set(found.keys());
    await pairLikest(free, likeness, found);
    for (const [target, source] of found) {
      if (!before.has(target)) countFolders(changes, folders, source.path, target.path);
    }
  }
  const byTarget = new Map([...found].map(([target, source]) => [target.path, source.path]));
  return { byTarget, folders };
}

/** Pairs files that are the only ones of their name on both sides, or that went with the others of their folder. */
async function pairNames(
  changes: SideChanges,
  sources: readonly Half[],
  targets: readonly Half[],
  found: Map<Half, Half>,
  folders: FolderCounts,
  likeness: Likeness,
): Promise<void> {
  const used = new Set(found.values());
  const left = sources.filter((half) => !used.has(half));
  const free = targets.filter((half) => !found.has(half));
  const byPath = new Map(free.map((half) => [half.path, half]));
  const guesses = new Map([...folders].map(([folder, counts]) => [folder, mostFrequent(counts)]));
  const [sourcesByName, targetsByName] = [left, free].map((all) => Map.groupBy(all, ({ path }) => nameOf(path)));
  for (const source of left) {
    if (!changes.relevant.has(source.path)) continue;
    const name = nameOf(source.path);
    const named = targetsByName?.get(name) ?? [];
    if (named.length === 0) continue;
    const isOnly = named.length === 1 && sourcesByName?.get(name)?.length === 1;
    const guess = guesses.get(folderOf(source.path));
    const target = isOnly ? named[0] : guess === undefined ? undefined : byPath.get(`${guess}/${name}`);
    if (target === undefined || found.has(target) || !isPlain(source) || !isPlain(target)) continue;
    if ((await likeness.scoreOf(source, target)) < sameNameScore) continue;
    found.set(target, source);
    countFolders(changes, folders, source.path, target.path);
  }
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** The first one of the most frequent folders. */
function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
  let [best, most] = [undefined as string | undefined, 0];
  for (const [folder, count] of counts) if (count > most) [best, most] = [folder, count];
  return best;
}

/** Counts a rename for the folder of the file, and for those above it as long as the rest of the paths is equal. */
function countFolders({ removedFolders }: SideChanges, folders: FolderCounts, from: string, to: string): void {
  let [oldFolder, newFolder] = [folderOf(from), folderOf(to)];
  for (let isFirst = true; removedFolders.has(oldFolder); isFirst = false) {
    const relevance = removedFolders.get(oldFolder) ?? "none";
    if (relevance === "self" || isFirst) {
      const counts = folders.get(oldFolder) ?? new Map<string, number>();
      counts.set(newFolder, (counts.get(newFolder) ?? 0) + 1);
      folders.set(oldFolder, counts);
    }
    if (relevance === "none" || oldFolder === "" || newFolder === "") return;
    if (nameOf(oldFolder) !== nameOf(newFolder)) return;
    [oldFolder, newFolder] = [folderOf(oldFolder), folderOf(newFolder)];
  }
}
