import { requestPace, spend } from "../../domain/work-budget.ts";
import { compareUtf8 } from "../../lib/text/unicode.ts";
import { stepLength } from "../../lib/yield.ts";
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
  const pace = requestPace();
  for (let [at, nowAt, count] = [0, 0, 1]; at < old.length || nowAt < now.length; count += 1) {
    spend(entrySteps);
    // Folders of hundreds of thousands of files may be the same but for few.
    if (count % stepLength === 0) await pace();
    const order = orderOf(old[at], now[nowAt]);
    const one = order <= 0 ? old[at] : undefined;
    const other = order >= 0 ? now[nowAt] : undefined;
    if (one !== undefined) at += 1;
    if (other !== undefined) nowAt += 1;
    if (one?.oid === other?.oid && one?.mode === other?.mode) continue;
    const path = `${folder}${(one ?? other)?.path}`;
    if ((one ?? other)?.type === "tree") yield* changedFiles(repository, one?.oid, other?.oid, `${path}/`);
    else yield { path, before: one, after: other };
  }
}

/** The part of the mode that says what a file is: a plain one may become executable. */
export function kindOf({ mode }: FileVersion): string {
  return mode.slice(0, 3);
}

/** Steps of comparing an entry of two trees. */
const entrySteps = 30;

/** Below zero where the entry of one tree comes first. Git orders folders as if their names ended with a slash. */
function orderOf(one: TreeEntry | undefined, other: TreeEntry | undefined): number {
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  if (one.path === other.path && (one.type === "tree") === (other.type === "tree")) return 0;
  return compareUtf8(placeOf(one), placeOf(other));
}

function placeOf({ path, type }: TreeEntry): string {
  return type === "tree" ? `${path}/` : path;
}
