/** Brings the versions of renamed files together, and notes the conflicts that renames make. */

import { kindOf } from "../diff/changed-files.ts";
import type { FileMerger } from "./merge-files.ts";
import { bitOf, filemaskOf, type MergePaths, type PathEntry, type Side, type Three } from "./paths.ts";

/** A file that one side renamed. */
export interface Rename {
  readonly side: Side;
  readonly from: string;
  readonly to: string;
}

/** Applies the renames of both sides. */
export async function applyRenames(
  { entries }: MergePaths,
  renames: readonly Rename[],
  merger: FileMerger,
): Promise<void> {
  for (const [from, all] of Map.groupBy(renames, (rename) => rename.from)) {
    const old = entries.get(from);
    // The other side did not change it, or a renamed folder took it along.
    if (old === undefined || old.isDone) continue;
    const [first, second] = all.sort((one, other) => one.side - other.side);
    if (first === undefined) continue;
    if (second !== undefined) await joinTwo(entries, old, first.to, second.to, merger);
    else await joinOne(entries, old, first, merger);
  }
}

function remove(entry: PathEntry): void {
  entry.result = undefined;
  entry.isDone = true;
  entry.isClean = true;
}

/** Both sides renamed a file. */
async function joinTwo(
  entries: ReadonlyMap<string, PathEntry>,
  old: PathEntry,
  oneTo: string,
  otherTo: string,
  merger: FileMerger,
): Promise<void> {
  const [one, other] = [entries.get(oneTo) as PathEntry, entries.get(otherTo) as PathEntry];
  const base = old.stages[0];
  if (one === other) {
    one.stages[0] = base;
    one.matchMask = 0;
    remove(old);
    return;
  }
  const [mine, theirs] = [one.stages[1], other.stages[2]];
  if (mine === undefined || theirs === undefined) return;
  const paths: Three<string> = [old.path, oneTo, otherTo];
  const { version, isClean } = await merger.merge(base, mine, theirs, paths, { isRenamed: true });
  const isOneTaken = !isClean && version.oid === mine.oid && version.mode === mine.mode;
  one.stages[1] = version;
  // A binary file is not merged: each path keeps its own.
  if (!isOneTaken) other.stages[2] = version;
  for (const each of [one, other, old]) each.hasPathConflict = true;
}

/** One side renamed a file. */
async function joinOne(
  entries: ReadonlyMap<string, PathEntry>,
  old: PathEntry,
  { side, to }: Rename,
  merger: FileMerger,
): Promise<void> {
  const entry = entries.get(to);
  const renamed = entry?.stages[side];
  if (entry === undefined || renamed === undefined) return;
  const otherSide = side === 1 ? 2 : 1;
  const kept = old.stages[otherSide];
  const isRemoved = filemaskOf(old) === 1;
  const hasOtherKind = !isRemoved && kept !== undefined && kindOf(kept) !== kindOf(renamed);
  const collides = (filemaskOf(entry) & bitOf(otherSide)) !== 0 && !hasOtherKind;
  if (collides && isRemoved) entry.hasPathConflict = true;
  else if (collides && kept !== undefined) {
    const paths: Three<string> = [old.path, old.path, old.path];
    paths[side] = to;
    const [mine, theirs] = side === 1 ? [renamed, kept] : [kept, renamed];
    const { version } = await merger.merge(old.stages[0], mine, theirs, paths, { isRenamed: true });
    entry.stages[side] = version;
  } else {
    entry.stages[0] = old.stages[0];
    entry.names[0] = old.path;
    entry.matchMask = 0;
    if (hasOtherKind) {
      old.stages[0] = undefined;
      old.matchMask = 0;
      return;
    }
    if (isRemoved) entry.hasPathConflict = true;
    else {
      entry.stages[otherSide] = kept;
      entry.names[otherSide] = old.path;
    }
  }
  remove(old);
}
