/** The objects of a merge: those of a repository, and new ones in memory. */

import { invalid } from "../../domain/failure.ts";
import type { ReadObjects } from "../diff/content.ts";
import { ObjectTooLarge } from "../objects/limits.ts";
import type { Commit, TreeEntry } from "../objects/objects.ts";
import { renderTree } from "../objects/trees.ts";

/** An object that a merge makes. */
export interface MadeObject {
  readonly type: "blob" | "tree";
  readonly bytes: Uint8Array;
}

/** Reads the objects of a repository, and keeps new ones. */
export class MergeObjects implements ReadObjects {
  readonly #repository: ReadObjects;
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #trees = new Map<string, readonly TreeEntry[]>();
  #madeBytes = 0;

  constructor(repository: ReadObjects) {
    this.#repository = repository;
  }

  commitOf(oid: string): Promise<Commit | undefined> {
    return this.#repository.commitOf(oid);
  }

  async blobSize(oid: string): Promise<number> {
    return this.#blobs.get(oid)?.length ?? this.#repository.blobSize(oid);
  }

  async blob(oid: string): Promise<Uint8Array> {
    return this.#blobs.get(oid) ?? this.#repository.blob(oid);
  }

  async tree(oid: string): Promise<readonly TreeEntry[]> {
    return this.#trees.get(oid) ?? this.#repository.tree(oid);
  }

  addBlob(bytes: Uint8Array): string {
    const oid = oidOf("blob", bytes);
    this.#count(bytes.length);
    this.#blobs.set(oid, bytes);
    return oid;
  }

  /** Throws 400 for names that are no UTF-8, which a tree in memory does not keep. */
  addTree(entries: readonly TreeEntry[]): string {
    if (entries.some(({ path }) => path.includes("\ufffd"))) throw invalid("a file has a name that is no UTF-8");
    const bytes = renderTree(entries);
    const oid = oidOf("tree", bytes);
    this.#count(bytes.length);
    this.#trees.set(oid, entries);
    return oid;
  }

  /** Throws 413: they are in memory. */
  #count(bytes: number): void {
    this.#madeBytes += bytes;
    if (this.#madeBytes > madeBytesMax) throw new ObjectTooLarge("the merge makes more than 64 MiB of new objects");
  }

  /** The new objects that a tree consists of, but for those below trees that are known to be stored. */
  madeFor(tree: string, isStored: (oid: string) => boolean): MadeObject[] {
    const made: MadeObject[] = [];
    const seen = new Set<string>();
    const waiting: Pick<TreeEntry, "type" | "oid">[] = [{ type: "tree", oid: tree }];
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const { type, oid } = entry;
      if (seen.has(oid) || isStored(oid)) continue;
      seen.add(oid);
      const blob = type === "blob" ? this.#blobs.get(oid) : undefined;
      const entries = type === "tree" ? this.#trees.get(oid) : undefined;
      if (blob !== undefined) made.push({ type: "blob", bytes: blob });
      if (entries === undefined) continue;
      made.push({ type: "tree", bytes: renderTree(entries) });
      waiting.push(...entries);
    }
    return made;
  }
}

/** Bytes of the new objects of one merge. */
const madeBytesMax = 64 << 20;

function oidOf(type: "blob" | "tree", bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
}
