import { requestPace, spend } from "../../domain/work-budget.ts";
import { sorting } from "../../lib/sorting.ts";
import { compareUtf8 } from "../../lib/text/unicode.ts";
import { takeSteps } from "../../lib/yield.ts";
import type { TreeEntry } from "../objects/objects.ts";

/** The trees of a repository. */
export interface Trees {
  tree(oid: string): Promise<readonly TreeEntry[]>;
}

/** One side of a changed file. */
export type FileVersion = Pick<TreeEntry, "mode" | "oid">;

/** A file that differs between two trees; a side without it is undefined. */
export interface ChangedFile {
  readonly path: string;
  /** The path before, of a renamed file. */
  readonly oldPath?: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/**
 * The files that differ between two trees, in the order of git; undefined is the empty tree. A file that becomes a folder
 * is removed, and what is in the folder is added.
 */
export async function* changedFiles(
  repository: Trees,
  before: string | undefined,
  after: string | undefined,
  folder = "",
): AsyncGenerator<ChangedFile> {
  if (before === after) return;
  const read = async (oid: string | undefined) => (oid === undefined ? [] : await repository.tree(oid));
  const [old, now] = [await read(before), await read(after)];
  const oldByName = new Map(old.map((entry) => [entry.path, entry]));
  const names = new Set(now.map(({ path }) => path));
  const removed = old.filter(({ path }) => !names.has(path)).map((entry) => [entry, undefined] as const);
  const both = now.map((entry) => [oldByName.get(entry.path), entry] as const);
  const pairs: Pair[] = [...removed, ...both];
  spend(pairs.length * pairSteps);
  const sorted = await takeSteps(sorting(pairs, byPlace), requestPace());
  for (const [one, other] of sorted) {
    const path = `${folder}${(one ?? other)?.path}`;
    const [oldTree, newTree] = [one, other].map((entry) => (entry?.type === "tree" ? entry.oid : undefined));
    const [oldFile, newFile] = [one, other].map((entry) => (entry?.type === "tree" ? undefined : entry));
    if (oldFile?.oid !== newFile?.oid || oldFile?.mode !== newFile?.mode) {
      yield { path, before: oldFile, after: newFile };
    }
    yield* changedFiles(repository, oldTree, newTree, `${path}/`);
  }
}

/** The part of the mode that says what a file is: a plain one may become executable. */
export function kindOf({ mode }: FileVersion): string {
  return mode.slice(0, 3);
}

/** Steps of putting an entry of two trees into its place. */
const pairSteps = 30;

type Pair = readonly [TreeEntry | undefined, TreeEntry | undefined];

/** Git orders folders as if their names ended with a slash. */
function byPlace(one: Pair, other: Pair): number {
  return compareUtf8(placeOf(one), placeOf(other));
}

function placeOf([before, after]: Pair): string {
  const { path, type } = (after ?? before) as TreeEntry;
  return type === "tree" ? `${path}/` : path;
}
