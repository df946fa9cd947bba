/** Checks that all that the refs of a staged repository lead to is there. */

import { ObjectCache } from "../objects/cache.ts";
import { parseCommit, parseTag } from "../objects/commits.ts";
import type { FoundObject } from "../objects/found.ts";
import { ObjectTooLarge, requireFewParents, requireReadable } from "../objects/limits.ts";
import { ObjectReader } from "../objects/objects.ts";
import { treeEntries } from "../objects/trees.ts";
import { SourceError } from "./source.ts";

const hint = "git fsck --full in the source";

/** The object types that a reference may lead to. */
type Wanted = "any" | "commit" | "tree" | "blob";

/**
 * Walks from `roots` through commits, trees and tags of the bare repository `folder`. `present` are the ids of its objects.
 * Returns the number of commits. Throws `SourceError` for an object that is missing, broken, of another type or too large, and for names in trees that git refuses.
 */
export async function checkReachable(
  folder: string,
  roots: Iterable<string>,
  present: ReadonlySet<string>,
  onObject: () => void,
): Promise<number> {
  const objects = readerOf(folder);
  const seen = new Set<string>();
  const waiting: { readonly oid: string; readonly wanted: Wanted }[] = [];
  const want = (oid: string, wanted: Wanted, from: string) => {
    if (!present.has(oid)) throw new SourceError(`the object ${oid} is missing, which ${from} names`, hint);
    if (seen.has(oid)) return;
    seen.add(oid);
    onObject();
    waiting.push({ oid, wanted });
  };
  let commits = 0;
  for (const oid of roots) want(oid, "any", "a ref");
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { oid, wanted } = next;
    const found = await objects.find(oid);
    if (found === undefined) throw new SourceError(`the object ${oid} is missing`, hint);
    const { type } = found;
    if (wanted !== "any" && type !== wanted)
      throw new SourceError(`the object ${oid} is a ${type}, not a ${wanted}`, hint);
    if (type === "blob") continue;
    const bytes = await readWhole(found);
    if (type === "commit") {
      commits += 1;
      const { tree, parent } = parseCommit(bytes.toString());
      await requireServed(() => requireFewParents(oid, parent));
      want(tree, "tree", `the commit ${oid}`);
      for (const each of parent) want(each, "commit", `the commit ${oid}`);
    } else if (type === "tag") want(parseTag(bytes.toString()).object, "any", `the tag ${oid}`);
    else if (type === "tree") {
      for (const entry of treeEntries(bytes)) {
        requirePlainName(entry.path, oid);
        // The commit of a submodule is in another repository.
        if (entry.type !== "commit") want(entry.oid, entry.type, `the tree ${oid}`);
      }
    }
  }
  return commits;
}

/** Reads the objects of a staged repository: nobody else waits for the memory. */
export function readerOf(folder: string): ObjectReader {
  return new ObjectReader(folder, new ObjectCache(), async () => undefined);
}

/** Throws `SourceError` for an object that the server would not read. */
async function readWhole(found: FoundObject): Promise<Buffer> {
  return requireServed(() => {
    requireReadable(found.oid, found.type, found.size);
    return found.read();
  });
}

async function requireServed<R>(reading: () => R | Promise<R>): Promise<R> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof ObjectTooLarge)) throw error;
    throw new SourceError(error.message, "a history without it");
  }
}

/** A checkout would write such names outside of its folder, or into `.git`. */
function requirePlainName(name: string, tree: string): void {
  if (name === "" || name === "." || name === ".." || name.includes("/") || /^\.git[. ]*$/i.test(name)) {
    throw new SourceError(`the tree ${tree} has an entry ${JSON.stringify(name)}`, hint);
  }
}
