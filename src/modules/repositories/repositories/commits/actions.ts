/** The changes of files that one commit makes (commits 4). */

import { invalid } from "../../../../domain/failure.ts";
import {
  type Commit,
  type FoundEntry,
  isFilePath,
  newPathProblem,
  type RepositoryWriter,
  TreeEdit,
} from "../../../../git/index.ts";

export interface FileAction {
  readonly kind: "create" | "update" | "move" | "delete" | "chmod";
  readonly path: string;
  /** The path that a file is moved from. */
  readonly previousPath?: string | undefined;
  /** undefined in a move: as it is. */
  readonly content?: Uint8Array | undefined;
  /** undefined: as it is. */
  readonly isExecutable?: boolean | undefined;
  /** The commit that the caller knows as the last one which changed the file. */
  readonly lastCommitId?: string | undefined;
}

const missingText = "A file with this name doesn't exist";
const fileText = "A file with this name already exists";
const folderText = "A directory with this name already exists";

/** Applies each action to the result of the one before. Returns the id of the new tree. Throws 400, and `OverBudget`. */
export async function applyActions(
  writer: RepositoryWriter,
  base: Commit | undefined,
  actions: readonly FileAction[],
): Promise<string> {
  const edit = new TreeEdit(writer, base?.tree);
  for (const action of actions) await apply(writer, edit, action);
  return edit.write();
}

async function apply(writer: RepositoryWriter, edit: TreeEdit, action: FileAction): Promise<void> {
  const { kind, path, previousPath, content, isExecutable } = action;
  requirePath(path, kind === "create" || kind === "move");
  if (previousPath !== undefined) requirePath(previousPath, false);
  const known = kind === "create" ? undefined : await fileAt(edit, previousPath ?? path);
  if (kind === "create" || kind === "move") await requireFree(edit, path);
  if (previousPath !== undefined) await edit.put(previousPath, undefined);
  if (kind === "delete") return edit.put(path, undefined);
  const isKept = kind === "chmod" || (kind === "move" && content === undefined);
  const oid = isKept ? (known?.oid as string) : await writer.writeBlob(content ?? new Uint8Array());
  await edit.put(path, { oid, mode: modeOf(known, isExecutable) });
}

function requirePath(path: string, isNew: boolean): void {
  if (path === "") throw invalid("You must provide a file path");
  if (path.split("/").includes("..")) throw invalid("Path cannot include directory traversal");
  if (!isFilePath(path)) throw invalid(`invalid path: '${path}'`);
  const problem = isNew ? newPathProblem(path) : undefined;
  if (problem !== undefined) throw invalid(`The path '${path}' ${problem}`);
}

async function fileAt(edit: TreeEdit, path: string): Promise<FoundEntry> {
  const found = await edit.entryAt(path);
  if (found?.type !== "blob") throw invalid(missingText);
  return found;
}

/** Throws 400 where a file or folder is at the path of a new file, or a file above it. */
async function requireFree(edit: TreeEdit, path: string): Promise<void> {
  const found = await edit.entryAt(path);
  if (found !== undefined) throw invalid(found.type === "tree" ? folderText : fileText);
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    const above = await edit.entryAt(path.slice(0, end));
    if (above === undefined) return;
    if (above.type !== "tree") throw invalid(fileText);
  }
}

function modeOf(known: FoundEntry | undefined, isExecutable: boolean | undefined): string {
  if (isExecutable === undefined) return known?.mode ?? "100644";
  return isExecutable ? "100755" : "100644";
}

/** The first action whose file a later commit changed than the caller knows of, and the path of that. */
export async function findStaleFile(
  writer: RepositoryWriter,
  base: Commit | undefined,
  actions: readonly FileAction[],
): Promise<{ readonly action: FileAction; readonly path: string } | undefined> {
  for (const action of actions) {
    const { kind, previousPath, lastCommitId } = action;
    const path = previousPath ?? action.path;
    if (base === undefined || !lastCommitId || kind === "create" || kind === "chmod") continue;
    // A file that is missing, or that an earlier action makes, is left to the action.
    if (!isFilePath(path) || (await writer.entryAt(base.tree, path)) === undefined) continue;
    if ((await writer.lastCommitOf(base, path)).oid !== lastCommitId) return { action, path };
  }
  return undefined;
}
