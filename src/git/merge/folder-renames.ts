/** Folders that one side renamed, and the files that the other side put into them: git asks where these belong. */

import { type FolderCounts, folderOf } from "./find-renames.ts";
import {
  bitOf,
  filemaskOf,
  type MergePaths,
  newEntry,
  type PathEntry,
  type Side,
  type SideChanges,
  sides,
} from "./paths.ts";

/** New folders by old ones. */
export type FolderRenames = Map<string, string>;

/** A file that a side added; `from` is its old path where it was renamed. */
export interface AddedFile {
  readonly from: string | undefined;
  to: string;
}

/** The folders that a side renamed: most of the files decide. `isClean` is false where two folders have as many. */
export function folderRenamesOf(
  { removedFolders }: SideChanges,
  folders: FolderCounts,
): { readonly renames: FolderRenames; readonly isClean: boolean } {
  const renames: FolderRenames = new Map();
  let isClean = true;
  for (const [folder, counts] of folders) {
    if ((removedFolders.get(folder) ?? "none") === "none") continue;
    const most = Math.max(...counts.values());
    const [best, ...equal] = [...counts].filter(([, count]) => count === most).map(([each]) => each);
    if (equal.length > 0) isClean = false;
    else if (best !== undefined) renames.set(folder, best);
  }
  return { renames, isClean };
}

/** Folders that both sides renamed are left as they are. */
export function removeSharedFolders(one: FolderRenames, other: FolderRenames): void {
  for (const folder of [...one.keys()]) if (other.delete(folder)) one.delete(folder);
}

/** The folders that each side renamed, and the files that it added. */
export interface BothFolders {
  readonly renames: Readonly<Record<Side, FolderRenames>>;
  readonly added: Readonly<Record<Side, readonly AddedFile[]>>;
}

/** Moves the files that a side added to folders which the other side renamed. False where that cannot be. */
export function moveIntoRenamed(paths: MergePaths, { renames, added }: BothFolders): boolean {
  const comings = { 1: countComings(added[1], renames[2]), 2: countComings(added[2], renames[1]) };
  let isClean = true;
  for (const side of sides) {
    const otherSide = side === 1 ? 2 : 1;
    for (const file of added[side]) {
      const moved = movedPath(file.to, renames[otherSide]);
      if (moved === undefined || comings[otherSide].has(file.to) || renames[side].has(moved.folder)) continue;
      const isShared = (comings[side].get(moved.path) ?? 0) > 1;
      if (isShared || isInWay(paths, moved.path, side)) isClean = false;
      else move(paths, file, moved.path);
    }
  }
  return isClean;
}

/** How many files come to each path. */
function countComings(added: readonly AddedFile[], renames: FolderRenames): ReadonlyMap<string, number> {
  const comings = new Map<string, number>();
  if (renames.size === 0) return comings;
  for (const { to } of added) {
    const moved = movedPath(to, renames);
    if (moved !== undefined) comings.set(moved.path, (comings.get(moved.path) ?? 0) + 1);
  }
  return comings;
}

function movedPath(
  path: string,
  renames: FolderRenames,
): { readonly path: string; readonly folder: string } | undefined {
  for (let old = folderOf(path); old !== ""; old = folderOf(old)) {
    const folder = renames.get(old);
    if (folder === undefined) continue;
    return { folder, path: folder === "" ? path.slice(old.length + 1) : `${folder}${path.slice(old.length)}` };
  }
  return undefined;
}

function isInWay({ entries }: MergePaths, path: string, side: Side): boolean {
  const entry = entries.get(path);
  if (entry === undefined) return false;
  return entry.isDone || ((filemaskOf(entry) | entry.dirmask) & bitOf(side)) !== 0;
}

function move({ entries }: MergePaths, file: AddedFile, to: string): void {
  const old = entries.get(file.to) as PathEntry;
  const moved = entries.get(to) ?? newEntry(to, [undefined, undefined, undefined]);
  for (const place of [0, 1, 2] as const) {
    if (old.stages[place] === undefined) continue;
    moved.stages[place] = old.stages[place];
    moved.names[place] = old.names[place];
  }
  if (old.dirmask === 0) entries.delete(file.to);
  else {
    old.stages = [undefined, undefined, undefined];
    old.isFileFolder = false;
  }
  if (moved.dirmask !== 0) moved.isFileFolder = true;
  moved.hasPathConflict = true;
  entries.set(to, moved);
  file.to = to;
}
