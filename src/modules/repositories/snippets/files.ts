/** The files of a snippet in its repository. */

import { Failure, invalid } from "../../../domain/failure.ts";
import {
  branchPrefix,
  isFilePath,
  newPathProblem,
  type Repository,
  type RepositoryWriter,
  type TreeEntry,
  writeFileTree,
} from "../../../git/index.ts";
import type { fileActions } from "./schema.ts";

/** A change of one file of a snippet. */
export interface FileChange {
  readonly action: (typeof fileActions)[number];
  readonly file_path?: string;
  readonly previous_path?: string;
  readonly content?: string;
}

/** The content of a file that is in the repository: the id of its blob. */
export interface KeptContent {
  readonly blob: string;
}

/** The text of a new file, or what the repository has already. */
type Content = string | KeptContent;

/** Contents by path, in the order of the files. */
export type Files<C extends Content = Content> = ReadonlyMap<string, C>;

const branch = "main";

/** The limit of the real system. */
const filesMax = 10;

/** Throws 422 for a change that lacks what its action needs. */
export function requireWholeChanges(changes: readonly FileChange[] = []): void {
  const isWhole = ({ action, file_path, previous_path, content }: FileChange) => {
    if (action === "move") return file_path !== undefined && Boolean(previous_path) && previous_path !== file_path;
    if (action === "delete") return file_path !== undefined;
    return Boolean(content) && (action === "create" || !previous_path || previous_path === file_path);
  };
  if (changes.every(isWhole)) return;
  throw new Failure("unprocessable", { message: { error: "Snippet actions have invalid data" } });
}

/** Applies changes one after the other. Throws 400 where one does not fit what is there. */
export function applyChanges(files: Files, changes: readonly FileChange[]): Files {
  const after = new Map(files);
  for (const { action, file_path = "", previous_path, content } of changes) {
    if (!isFilePath(file_path)) throw invalid({ file_path: ["is invalid"] });
    const problem = files.has(file_path) ? undefined : newPathProblem(file_path);
    if (problem !== undefined) throw invalid({ file_path: [problem] });
    const before = action === "move" ? previous_path || file_path : file_path;
    const old = after.get(before);
    if (action === "create" ? old !== undefined : before !== file_path && after.has(file_path)) {
      throw invalid("A file with this name already exists");
    }
    if (action !== "create" && old === undefined) throw invalid("A file with this name doesn't exist");
    if (action === "delete") after.delete(file_path);
    else if (action === "move") rename(after, before, file_path, content ?? old ?? "");
    else {
      if (content === undefined || content === "") throw invalid({ content: ["can't be blank"] });
      after.set(file_path, content);
    }
  }
  if (after.size > Math.max(filesMax, files.size)) {
    throw invalid(`The repository can contain at most ${filesMax} file(s).`);
  }
  for (const path of after.keys()) {
    if ([...after.keys()].some((other) => other.startsWith(`${path}/`))) {
      throw invalid("A directory with this name already exists");
    }
  }
  if (after.size === 0) throw invalid({ files: ["can't be blank"] });
  return after;
}

/** It keeps its place. */
function rename(files: Map<string, Content>, from: string, to: string, content: Content): void {
  const all = [...files].map(([path, old]): [string, Content] => (path === from ? [to, content] : [path, old]));
  files.clear();
  for (const [path, each] of all) files.set(path, each);
}

/** The files that a record names, as far as they are there. */
export async function findFiles(repository: Repository, paths: readonly string[]): Promise<Files<KeptContent>> {
  const oid = await repository.branch(branch);
  const commit = oid === undefined ? undefined : await repository.commitOf(oid);
  const files = new Map<string, KeptContent>();
  for (const path of commit === undefined ? [] : paths) {
    const entry = commit && (await repository.entryAt(commit.tree, path));
    if (entry?.type === "blob") files.set(path, { blob: entry.oid });
  }
  return files;
}

/** The texts of files, by their blobs. */
export async function readTexts(repository: Repository, files: Files<KeptContent>): Promise<Map<string, string>> {
  const oids = [...files.values()].map(({ blob }) => blob);
  const blobs = await repository.blobs(oids);
  return new Map(blobs.map((bytes, at) => [oids[at] as string, new TextDecoder().decode(bytes)]));
}

/** The commit of the whole of a snippet's files, for `switchRef`. */
export async function writeFiles(
  writer: RepositoryWriter,
  files: Files,
  signature: { readonly name: string; readonly email: string; readonly timestamp: number },
): Promise<{ readonly ref: string; readonly oid: string; readonly asHead: string | undefined }> {
  const entries = new Map<string, TreeEntry>();
  for (const [path, content] of files) {
    const oid = typeof content === "string" ? await writer.writeBlob(new TextEncoder().encode(content)) : content.blob;
    entries.set(path, { mode: "100644", path, oid, type: "blob" });
  }
  const tree = await writeFileTree(writer, entries);
  const parent = await writer.branch(branch);
  const message = parent === undefined ? "Initial commit" : "Update snippet";
  const oid = await writer.writeCommit({
    message,
    tree,
    parents: parent === undefined ? [] : [parent],
    author: signature,
    committer: signature,
  });
  return { ref: `${branchPrefix}${branch}`, oid, asHead: parent === undefined ? branch : undefined };
}
