/** Indexes and checks a received pack. It runs in a thread of its own. */

import { noOid } from "../git.ts";
import type { ObjectType } from "../objects/limits.ts";
import { commitAt, commitHeadAt, isAncestor } from "../packing/ancestry.ts";
import { PackError, type PackLimits } from "../packing/limits.ts";
import { ObjectStore } from "../packing/object-store.ts";
import { ObjectWalk } from "../packing/object-walk.ts";
import { hexOf, OidTable, oidOf } from "../packing/oid-table.ts";
import { type IndexedPack, PackIndexer } from "../packing/pack-indexer.ts";
import type { RefCommand } from "../transport/push-request.ts";

export interface ReceiveOrder {
  /** The folder of the repository, which may not exist yet. */
  readonly folder: string;
  /** The path of the received pack without its ending; undefined when there is none. */
  readonly pack: string | undefined;
  readonly commands: readonly RefCommand[];
  readonly limits: PackLimits;
}

/** The new object of a ref. */
export interface ReceivedRef {
  /** undefined when the object, or one that it leads to, is missing. */
  readonly type: ObjectType | undefined;
  /** The commit that it is or leads to. */
  readonly commit: string | undefined;
  /** The root tree of that commit. */
  readonly tree: string | undefined;
  /** The message of the commit, and that of an annotated tag. */
  readonly message: string;
  readonly tagMessage: string | undefined;
  /** Commits that the ref leads to and did not lead to before. */
  readonly commitCount: number;
  /** The commit that the ref was at is not among the ancestors of the new one. */
  readonly isForced: boolean;
}

export interface Received {
  readonly pack: IndexedPack | undefined;
  /** The reason why the pack is refused. */
  readonly refusal: string | undefined;
  /** In the order of the commands; undefined for a deletion. */
  readonly refs: readonly (ReceivedRef | undefined)[];
}

export async function receive({ folder, pack, commands, limits }: ReceiveOrder): Promise<Received> {
  let indexed: IndexedPack | undefined;
  let isIncomplete = false;
  if (pack !== undefined) {
    try {
      using store = new ObjectStore(folder);
      const indexer = new PackIndexer(pack, store, limits);
      try {
        indexed = await indexer.index();
        isIncomplete = indexer.findMissing() !== undefined;
      } finally {
        indexer.close();
      }
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      return { pack: undefined, refusal: error.message, refs: [] };
    }
  }
  // Of a pack that misses an object nothing is kept: a later push could name what leads there.
  const kept = isIncomplete ? undefined : pack;
  using store = new ObjectStore(folder, kept);
  const refs = commands.map((command) => (command.after === noOid ? undefined : receivedRef(store, command)));
  return { pack: isIncomplete ? undefined : indexed, refusal: undefined, refs };
}

const missing: ReceivedRef = {
  type: undefined,
  commit: undefined,
  tree: undefined,
  message: "",
  tagMessage: undefined,
  commitCount: 0,
  isForced: false,
};

function receivedRef(store: ObjectStore, { before, after }: RefCommand): ReceivedRef {
  const object = store.find(oidOf(after));
  if (object === undefined) return missing;
  const { type } = store.headOf(object);
  const oid = commitAt(store, oidOf(after));
  const commit = oid === undefined ? undefined : commitHeadAt(store, oid);
  return {
    type,
    commit: oid === undefined ? undefined : hexOf(oid),
    tree: commit === undefined ? undefined : hexOf(commit.tree),
    message: oid === undefined ? "" : messageOf(store, oid),
    tagMessage: type === "tag" ? messageOf(store, oidOf(after)) : undefined,
    commitCount: oid === undefined ? 0 : countCommits(store, before, oid),
    isForced: oid !== undefined && isForced(store, before, oid),
  };
}

function messageOf(store: ObjectStore, oid: Uint8Array): string {
  const text = store.read(oid)?.content.toString() ?? "";
  const end = text.indexOf("\n\n");
  return end === -1 ? "" : text.slice(end + 2);
}

function countCommits(store: ObjectStore, before: string, after: Uint8Array): number {
  const isKnown = before !== noOid && store.find(oidOf(before)) !== undefined;
  const none = new OidTable();
  return new ObjectWalk(store, {
    wants: [after],
    haves: isKnown ? [oidOf(before)] : [],
    ...{ clientShallow: none, newShallow: none, filter: undefined },
  }).countCommits();
}

function isForced(store: ObjectStore, before: string, after: Uint8Array): boolean {
  if (before === noOid) return false;
  const old = store.find(oidOf(before)) === undefined ? undefined : commitAt(store, oidOf(before));
  if (old === undefined) return true;
  return !isAncestor(store, old, after);
}
