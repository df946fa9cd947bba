import { rmSync, writeFileSync } from "node:fs";
import { PackError, type PackLimits } from "../../../../src/git/packing/limits.ts";
import { ObjectStore } from "../../../../src/git/packing/object-store.ts";
import { type IndexedPack, PackIndexer } from "../../../../src/git/packing/pack-indexer.ts";

export const wideLimits: PackLimits = { objectsMax: 100_000, objectBytesMax: 1 << 30 };

/** The outcome of a received pack: what is known of it, or why it is refused. */
export type Outcome =
  | { readonly refusal: string }
  | { readonly refusal: undefined; readonly pack: IndexedPack; readonly missing: string | undefined };

let count = 0;

/** Indexes a pack beside the objects of a repository, whose folder need not exist. Throws what is no `PackError`. */
export async function indexBytes(
  folder: string,
  bytes: Uint8Array,
  { limits = wideLimits, repository = `${folder}/none.git` }: { limits?: PackLimits; repository?: string } = {},
): Promise<Outcome & { readonly path: string }> {
  count += 1;
  const path = `${folder}/received-${count}`;
  writeFileSync(`${path}.pack`, bytes);
  try {
    return { ...(await indexFile(path, repository, limits)), path };
  } catch (error) {
    rmSync(`${path}.pack`, { force: true });
    if (error instanceof PackError) return { refusal: error.message, path };
    throw error;
  }
}

async function indexFile(path: string, repository: string, limits: PackLimits): Promise<Outcome> {
  using store = new ObjectStore(repository);
  const indexer = new PackIndexer(path, store, limits);
  try {
    const pack = await indexer.index();
    return { refusal: undefined, pack, missing: indexer.findMissing() };
  } finally {
    indexer.close();
  }
}
