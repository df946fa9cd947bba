/** The entries of an archive of a tree, in the order of git. */

import { requestPace } from "../../domain/work-budget.ts";
import type { BlobStream } from "../objects/blob-stream.ts";
import type { TreeEntry } from "../objects/objects.ts";

/** The objects of a repository. */
export interface ArchivedObjects {
  tree(oid: string): Promise<readonly TreeEntry[]>;
  entryAt(treeOid: string, path: string): Promise<TreeEntry | undefined>;
  blobSize(oid: string): Promise<number>;
  content(oid: string): Promise<Uint8Array<ArrayBuffer> | BlobStream>;
}

/** The content of an archive, and its folder and times. */
export interface ArchiveOrder {
  /** Id of the commit. */
  readonly commit: string;
  readonly tree: string;
  /** In seconds: all entries have this time. */
  readonly time: number;
  /** The folder around everything, without a slash. */
  readonly folder: string;
  /** Only what is here; blank for all. */
  readonly path: string;
  /** Files and folders that are left out. */
  readonly excluded: readonly string[];
}

/** One entry. Whoever reads the content reads it to its end or closes it. */
export interface ArchiveEntry {
  /** With a slash at the end of a folder. */
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  readonly mode: number;
  readonly size: number;
  readonly content: Uint8Array<ArrayBuffer> | BlobStream;
}

const nothing = new Uint8Array();
const [linkMode, executableMode] = ["120000", "100755"];

/** Finds the entries one by one: nothing of the files is in memory beside the one that is read. */
export async function* entriesOf(repository: ArchivedObjects, order: ArchiveOrder): AsyncGenerator<ArchiveEntry> {
  const pace = requestPace();
  const excluded = new Set(order.excluded);
  yield folderAt(`${order.folder}/`);
  const above = order.path.split("/").slice(0, -1);
  for (const [at] of above.entries()) yield folderAt(`${order.folder}/${above.slice(0, at + 1).join("/")}/`);
  const start = await repository.entryAt(order.tree, order.path);
  if (start === undefined) return;
  if (order.path === "") yield* below(start.oid, "");
  else yield* entriesAt(start, order.path);

  async function* below(tree: string, prefix: string): AsyncGenerator<ArchiveEntry> {
    for (const entry of await repository.tree(tree)) yield* entriesAt(entry, `${prefix}${entry.path}`);
  }

  async function* entriesAt({ type, mode, oid }: TreeEntry, path: string): AsyncGenerator<ArchiveEntry> {
    if (excluded.has(path)) return;
    await pace();
    const whole = `${order.folder}/${path}`;
    if (type !== "blob") {
      yield folderAt(`${whole}/`);
      if (type === "tree") yield* below(oid, `${path}/`);
      return;
    }
    const size = await repository.blobSize(oid);
    const content = await repository.content(oid);
    if (mode === linkMode) yield { path: whole, kind: "link", mode: 0o777, size, content };
    else yield { path: whole, kind: "file", mode: mode === executableMode ? 0o755 : 0o644, size, content };
  }
}

/** A submodule is an empty folder. */
function folderAt(path: string): ArchiveEntry {
  return { path, kind: "folder", mode: 0o755, size: 0, content: nothing };
}

/** The bytes of an entry in pieces. */
export async function* piecesOfEntry({ content }: ArchiveEntry): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) {
    yield content;
    return;
  }
  try {
    for (let piece = await content.next(); piece !== undefined; piece = await content.next()) yield piece;
  } finally {
    content.close();
  }
}
